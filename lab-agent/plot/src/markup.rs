//! Text of SVG and HTML: elements, attributes, and the escaping of whatever comes
//! from a file.
//!
//! Our own, as almost all of a picture is path data that no library would write
//! for us; what remains is this file.
// SPDX-License-Identifier: Apache-2.0

use std::fmt::{self, Display, Write as _};

/// Text that markup cannot take for its own: in elements and in quoted
/// attributes. Characters that XML does not allow become U+FFFD.
pub(crate) struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for sign in self.0.chars() {
            match sign {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' => f.write_char(' ')?,
                // Overrides of the writing direction make a name look like another.
                '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                    f.write_char('\u{fffd}')?;
                }
                sign if sign.is_control() => f.write_char('\u{fffd}')?,
                sign => f.write_char(sign)?,
            }
        }
        Ok(())
    }
}

/// A coordinate: two decimals at most, and no more of them than it needs.
#[derive(Clone, Copy)]
pub(crate) struct At(pub f64);

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        if hundredths < 0 {
            f.write_char('-')?;
        }
        let (whole, rest) = (
            hundredths.unsigned_abs() / 100,
            hundredths.unsigned_abs() % 100,
        );
        match (rest / 10, rest % 10) {
            (0, 0) => write!(f, "{whole}"),
            (tenths, 0) => write!(f, "{whole}.{tenths}"),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

/// A number with separators between thousands.
pub(crate) struct Grouped(pub u64);

impl Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                // Narrow, and never broken over two lines.
                f.write_char('\u{202f}')?;
            }
            f.write_char(digit)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{At, Escaped, Grouped};

    #[test]
    fn nothing_escapes() {
        let hostile = "<script>\"'&\u{0}\u{1b}[2J\u{202e}\r\n";
        let told = Escaped(hostile).to_string();
        assert_eq!(
            told,
            "&lt;script&gt;&quot;&#39;&amp;\u{fffd}\u{fffd}[2J\u{fffd}\u{fffd} "
        );
    }

    #[test]
    fn coordinates_are_short() {
        let told = [0.0, -0.001, 12.5, -3.07, 99.999, 7.1].map(|at| At(at).to_string());
        assert_eq!(told, ["0", "0", "12.5", "-3.07", "100", "7.1"]);
    }

    #[test]
    fn thousands_stand_apart() {
        let told = [7, 123, 1_234, 1_234_567].map(|number| Grouped(number).to_string());
        assert_eq!(
            told,
            ["7", "123", "1\u{202f}234", "1\u{202f}234\u{202f}567"]
        );
    }
}
