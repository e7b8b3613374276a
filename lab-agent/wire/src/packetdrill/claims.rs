//! What a script claims of a connection between `%{` and `}%`. There packetdrill
//! runs Python; this understands `assert` and assignments, whose expressions
//! compare and compute numbers.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

/// One statement.
#[derive(Debug, PartialEq, Eq)]
pub enum Statement {
    /// `assert EXPRESSION, MESSAGE`: the expression, and its text.
    Assert(Expression, String),
    /// `NAME = EXPRESSION`.
    Assign(String, Expression),
}

/// What has a value. Truth is a number, as in Python.
#[derive(Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A field of `TCP_INFO`, or what was assigned.
    Name(String),
    /// `not`.
    Not(Box<Expression>),
    /// `-`.
    Minus(Box<Expression>),
    /// Two, with an operator between.
    Two(Box<Expression>, &'static str, Box<Expression>),
    /// `a < b == c`: each neighbour has to fit.
    Chain(Vec<Expression>, Vec<&'static str>),
}

const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];
/// From those that bind least.
const OPERATORS: [&[&str]; 4] = [&["|"], &["&"], &["+", "-"], &["*", "//", "/", "%"]];
/// States of congestion control (`enum tcp_ca_state`) and of a connection.
const CONSTANTS: [(&str, i64); 20] = [
    ("True", 1),
    ("False", 0),
    ("TCP_CA_Open", 0),
    ("TCP_CA_Disorder", 1),
    ("TCP_CA_CWR", 2),
    ("TCP_CA_Recovery", 3),
    ("TCP_CA_Loss", 4),
    ("TCP_ESTABLISHED", 1),
    ("TCP_SYN_SENT", 2),
    ("TCP_SYN_RECV", 3),
    ("TCP_FIN_WAIT1", 4),
    ("TCP_FIN_WAIT2", 5),
    ("TCP_TIME_WAIT", 6),
    ("TCP_CLOSE", 7),
    ("TCP_CLOSE_WAIT", 8),
    ("TCP_LAST_ACK", 9),
    ("TCP_LISTEN", 10),
    ("TCP_CLOSING", 11),
    ("TCPI_OPT_TIMESTAMPS", 1),
    ("TCPI_OPT_SACK", 2),
];

/// Reads a block's text.
pub fn parse(text: &str) -> Result<Vec<Statement>, String> {
    let mut statements = Vec::new();
    let text = text.replace("\\\n", " ");
    for line in text.lines().flat_map(|line| line.split(';')) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        statements.push(statement(line).map_err(|why| {
            format!("`{line}`: {why}; understood are `assert EXPRESSION, MESSAGE` and `NAME = EXPRESSION`")
        })?);
    }
    Ok(statements)
}

/// The value of an expression without names.
pub fn number(text: &str) -> Result<i64, String> {
    let mut reader = Reader { rest: text };
    let expression = reader.disjunction()?;
    reader.end()?;
    let unknown = |name: &str| Err(format!("{name} has no value here"));
    let names = Names {
        assigned: &mut BTreeMap::new(),
        kernel: &unknown,
    };
    value(&expression, &names)
}

fn statement(line: &str) -> Result<Statement, String> {
    if let Some(claim) = line.strip_prefix("assert")
        && claim.starts_with([' ', '('])
    {
        let mut reader = Reader { rest: claim };
        let expression = reader.disjunction()?;
        let said = claim[..claim.len() - reader.rest.len()].trim().to_owned();
        // What Python would print; ours tells every number of the claim.
        if !reader.rest.trim_start().starts_with(',') {
            reader.end()?;
        }
        return Ok(Statement::Assert(expression, said));
    }
    let mut reader = Reader { rest: line };
    let name = reader.name().ok_or("it begins with no name")?.to_owned();
    if !reader.take("=") {
        return Err("there is no `=`".into());
    }
    let expression = reader.disjunction()?;
    reader.end()?;
    Ok(Statement::Assign(name, expression))
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn end(&self) -> Result<(), String> {
        if self.rest.trim().is_empty() {
            return Ok(());
        }
        Err(format!("`{}` is not understood", self.rest.trim()))
    }

    fn take(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn name(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start();
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let length = self
            .rest
            .find(|letter| !fits(letter))
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(length);
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        self.rest = rest;
        Some(name)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let here = self.rest;
        if self.name() == Some(word) {
            return true;
        }
        self.rest = here;
        false
    }

    fn disjunction(&mut self) -> Result<Expression, String> {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            left = Expression::Two(left.into(), "or", self.conjunction()?.into());
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Expression, String> {
        let mut left = self.negation()?;
        while self.take_word("and") {
            left = Expression::Two(left.into(), "and", self.negation()?.into());
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expression, String> {
        if self.take_word("not") {
            return Ok(Expression::Not(self.negation()?.into()));
        }
        let first = self.operation(0)?;
        let (mut all, mut comparisons) = (vec![first], Vec::new());
        while let Some(comparison) = COMPARISONS.iter().find(|sign| self.take(sign)) {
            comparisons.push(*comparison);
            all.push(self.operation(0)?);
        }
        if comparisons.is_empty() {
            return Ok(all.remove(0));
        }
        Ok(Expression::Chain(all, comparisons))
    }

    fn operation(&mut self, level: usize) -> Result<Expression, String> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.single();
        };
        let mut left = self.operation(level + 1)?;
        while let Some(operator) = operators.iter().find(|sign| self.take(sign)) {
            left = Expression::Two(left.into(), operator, self.operation(level + 1)?.into());
        }
        Ok(left)
    }

    fn single(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.disjunction()?;
            return if self.take(")") {
                Ok(inner)
            } else {
                Err("a `(` without `)`".into())
            };
        }
        if self.take("-") {
            return Ok(Expression::Minus(self.single()?.into()));
        }
        if let Some(name) = self.name() {
            return Ok(Expression::Name(name.to_owned()));
        }
        let digits = self.rest.find(|digit: char| !digit.is_ascii_digit());
        let (number, rest) = self.rest.split_at(digits.unwrap_or(self.rest.len()));
        let number = number
            .parse()
            .map_err(|_| format!("`{}` is not understood", self.rest.trim()))?;
        if rest.starts_with(['.', 'x']) {
            return Err(format!("`{}` is no whole decimal number", self.rest.trim()));
        }
        self.rest = rest;
        Ok(Expression::Number(number))
    }
}

/// Where the names of a block get their values.
pub struct Names<'a> {
    /// What earlier statements have assigned.
    pub assigned: &'a mut BTreeMap<String, i64>,
    /// What the kernel says.
    pub kernel: &'a dyn Fn(&str) -> Result<i64, String>,
}

/// Runs a block.
///
/// # Errors
/// The claim that is not true, with the numbers in it; or why it has no value.
pub fn check(statements: &[Statement], names: &mut Names) -> Result<(), String> {
    for statement in statements {
        match statement {
            Statement::Assign(name, expression) => {
                let value = value(expression, names)?;
                names.assigned.insert(name.clone(), value);
            }
            Statement::Assert(expression, said) => {
                if value(expression, names)? == 0 {
                    let mut known = BTreeMap::new();
                    collect(expression, names, &mut known)?;
                    let known: Vec<String> = known
                        .iter()
                        .map(|(name, value)| format!("{name} = {value}"))
                        .collect();
                    return Err(format!("`{said}` is not so: {}", known.join(", ")));
                }
            }
        }
    }
    Ok(())
}

fn value(expression: &Expression, names: &Names) -> Result<i64, String> {
    let truth = |so: bool| Ok(i64::from(so));
    match expression {
        Expression::Number(number) => Ok(*number),
        Expression::Name(name) => name_value(name, names),
        Expression::Not(inner) => truth(value(inner, names)? == 0),
        Expression::Minus(inner) => Ok(-value(inner, names)?),
        Expression::Two(left, operator, right) => {
            let left = value(left, names)?;
            match (*operator, left) {
                ("and", 0) => return Ok(0),
                ("or", left) if left != 0 => return Ok(left),
                _ => {}
            }
            compute(left, operator, value(right, names)?)
        }
        Expression::Chain(all, comparisons) => {
            for (pair, comparison) in all.windows(2).zip(comparisons) {
                let (left, right) = (value(&pair[0], names)?, value(&pair[1], names)?);
                let fits = match *comparison {
                    "==" => left == right,
                    "!=" => left != right,
                    "<=" => left <= right,
                    ">=" => left >= right,
                    "<" => left < right,
                    _ => left > right,
                };
                if !fits {
                    return truth(false);
                }
            }
            truth(true)
        }
    }
}

fn compute(left: i64, operator: &str, right: i64) -> Result<i64, String> {
    let result = match operator {
        "and" | "or" => Some(right),
        "|" => Some(left | right),
        "&" => Some(left & right),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "//" => left.checked_div_euclid(right),
        // Python's is a fraction: only where it is none is it ours.
        "/" if right != 0 && left % right == 0 => Some(left / right),
        "%" => left.checked_rem_euclid(right),
        _ => None,
    };
    result.ok_or_else(|| format!("{left} {operator} {right} has no value here"))
}

fn name_value(name: &str, names: &Names) -> Result<i64, String> {
    if let Some(value) = names.assigned.get(name) {
        return Ok(*value);
    }
    if let Some((_, value)) = CONSTANTS.iter().find(|(known, _)| *known == name) {
        return Ok(*value);
    }
    (names.kernel)(name)
}

fn collect(
    expression: &Expression,
    names: &Names,
    known: &mut BTreeMap<String, i64>,
) -> Result<(), String> {
    match expression {
        Expression::Number(_) => {}
        Expression::Name(name) => {
            known.insert(name.clone(), name_value(name, names)?);
        }
        Expression::Not(inner) | Expression::Minus(inner) => collect(inner, names, known)?,
        Expression::Two(left, _, right) => {
            collect(left, names, known)?;
            collect(right, names, known)?;
        }
        Expression::Chain(all, _) => {
            for one in all {
                collect(one, names, known)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<(), String> {
        let mut assigned = BTreeMap::new();
        check(
            &parse(text)?,
            &mut Names {
                assigned: &mut assigned,
                kernel: &|name| match name {
                    "tcpi_snd_cwnd" => Ok(10),
                    _ => Err(format!("no {name}")),
                },
            },
        )
    }

    #[test]
    fn true_claims_pass() {
        for text in [
            "assert tcpi_snd_cwnd == 10",
            "assert (tcpi_snd_cwnd) == 10, 'cwnd=%d' % tcpi_snd_cwnd",
            "assert 9 < tcpi_snd_cwnd <= 10 and not tcpi_snd_cwnd == 11",
            "assert tcpi_snd_cwnd != 10 or tcpi_snd_cwnd * 2 - 5 == 3 * (4 + 1)",
            "was = tcpi_snd_cwnd // 3; assert was == 3 and was % 2 == 1 and -was < 0",
            "assert 1 == 1, 1; \\\n assert 2 == 2",
            "\n  # nothing\nassert TCP_CA_Recovery == 3\nassert tcpi_snd_cwnd & 2 == 2\n",
        ] {
            assert_eq!(run(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn a_false_claim_tells_its_numbers() {
        assert_eq!(
            run("assert tcpi_snd_cwnd == 11, tcpi_snd_cwnd"),
            Err("`tcpi_snd_cwnd == 11` is not so: tcpi_snd_cwnd = 10".into())
        );
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (text, part) in [
            ("import os", "there is no `=`"),
            ("assert len(x) == 3", "`(x) == 3` is not understood"),
            ("assert 0.5 < 1", "no whole decimal number"),
            ("assert tcpi_other == 1", "no tcpi_other"),
            ("assert 1 / 2", "1 / 2 has no value here"),
        ] {
            let fault = run(text).unwrap_err();
            assert!(fault.contains(part), "{text}: {fault}");
        }
    }
}
