//! `{i*100+1}`: whole numbers, names, `+ - * /` and brackets, and
//! `repeat NAME FROM..TO` … `end` around lines.
// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

/// Names that have a value.
pub type Names = BTreeMap<String, i64>;

/// A line of a file with nothing left to compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Of the file, from 1.
    pub number: usize,
    /// Without comments.
    pub text: String,
}

/// Removes comments, unrolls what is repeated and computes what is in braces.
///
/// # Errors
/// With the number of the line.
pub fn expand(text: &str) -> Result<Vec<Line>, (usize, String)> {
    let lines: Vec<Line> = text
        .lines()
        .enumerate()
        .map(|(index, line)| Line {
            number: index + 1,
            text: line.split('#').next().unwrap_or("").trim().to_owned(),
        })
        .filter(|line| !line.text.is_empty())
        .collect();
    let mut expanded = Vec::new();
    let rest = unroll(&lines, &mut Names::new(), &mut expanded)?;
    match rest.first() {
        None => Ok(expanded),
        Some(end) => Err((end.number, "`end` without `repeat`".into())),
    }
}

/// Up to the `end` that closes this block, which is left in what it gives.
fn unroll<'a>(
    mut lines: &'a [Line],
    names: &mut Names,
    expanded: &mut Vec<Line>,
) -> Result<&'a [Line], (usize, String)> {
    while let Some((line, rest)) = lines.split_first() {
        let fault = |message: String| (line.number, message);
        if line.text == "end" {
            return Ok(lines);
        }
        lines = rest;
        let text = substitute(&line.text, names).map_err(fault)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        if let ["let", name, value] = words[..] {
            let value = value.parse().map_err(|_| {
                fault(format!(
                    "`let {name}` needs a whole number or {{…}}, not `{value}`"
                ))
            })?;
            names.insert(name.into(), value);
            continue;
        }
        let ["repeat", name, range] = words[..] else {
            expanded.push(Line {
                number: line.number,
                text,
            });
            continue;
        };
        let (from, to) = range
            .split_once("..")
            .and_then(|(from, to)| Some((from.parse::<i64>().ok()?, to.parse::<i64>().ok()?)))
            .filter(|(from, to)| from < to)
            .ok_or_else(|| {
                fault(format!(
                    "`repeat {name}` needs a range such as 0..10, not `{range}`"
                ))
            })?;
        let mut after = rest;
        for value in from..to {
            names.insert(name.into(), value);
            after = unroll(rest, names, expanded)?;
        }
        names.remove(name);
        lines = after
            .split_first()
            .ok_or_else(|| fault("`repeat` without `end`".into()))?
            .1;
    }
    Ok(lines)
}

/// Computes everything in braces.
fn substitute(text: &str, names: &Names) -> Result<String, String> {
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, behind) = after
            .split_once('}')
            .ok_or_else(|| format!("`{{` without `}}` in `{text}`"))?;
        done.push_str(before);
        done.push_str(&evaluate(inside, names)?.to_string());
        rest = behind;
    }
    done.push_str(rest);
    Ok(done)
}

fn evaluate(text: &str, names: &Names) -> Result<i64, String> {
    let mut tokens = Tokens { rest: text, names };
    let value = tokens.sum()?;
    if tokens.rest.trim().is_empty() {
        return Ok(value);
    }
    Err(format!("`{}` in `{{{text}}}`", tokens.rest))
}

struct Tokens<'a> {
    rest: &'a str,
    names: &'a Names,
}

impl Tokens<'_> {
    fn sum(&mut self) -> Result<i64, String> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut value = self.factor()?;
        loop {
            if self.take('*') {
                value *= self.factor()?;
            } else if self.take('/') {
                let by = self.factor()?;
                value = value
                    .checked_div(by)
                    .ok_or("a division by zero".to_string())?;
            } else {
                return Ok(value);
            }
        }
    }

    fn factor(&mut self) -> Result<i64, String> {
        if self.take('(') {
            let value = self.sum()?;
            if !self.take(')') {
                return Err("`(` without `)`".into());
            }
            return Ok(value);
        }
        let text = self.rest.trim_start();
        let length = text
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        self.rest = rest;
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        self.names
            .get(word)
            .copied()
            .ok_or_else(|| format!("`{word}` has no value here"))
    }

    fn take(&mut self, sign: char) -> bool {
        let text = self.rest.trim_start();
        let taken = text.strip_prefix(sign);
        self.rest = taken.unwrap_or(self.rest);
        taken.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(script: &str) -> Vec<String> {
        expand(script)
            .unwrap()
            .into_iter()
            .map(|line| line.text)
            .collect()
    }

    #[test]
    fn repeated_lines_are_unrolled_and_computed() {
        let script = "repeat i 0..2\n repeat j 1..3\n {i*10} x {(i+1)*j-1}\n end\nend\nlast # no";
        assert_eq!(
            texts(script),
            ["0 x 0", "0 x 1", "10 x 1", "10 x 3", "last"]
        );
    }

    #[test]
    fn names_keep_their_value() {
        assert_eq!(texts("let a 7\nlet b {a*2}\n{b/4} y"), ["3 y"]);
    }

    #[test]
    fn what_is_not_closed_or_known_is_named() {
        let fault = |script| expand(script).unwrap_err();
        assert_eq!(fault("a\nend"), (2, "`end` without `repeat`".into()));
        assert_eq!(
            fault("repeat i 0..2\na"),
            (1, "`repeat` without `end`".into())
        );
        assert_eq!(fault("{q}"), (1, "`q` has no value here".into()));
        assert_eq!(fault("{1/0}"), (1, "a division by zero".into()));
        assert_eq!(fault("{1 2}"), (1, "` 2` in `{1 2}`".into()));
    }
}
