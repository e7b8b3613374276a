//! The arguments of a system call, as a script writes them.
// SPDX-License-Identifier: Apache-2.0
use std::net::SocketAddr;

use anyhow::{Context, Result, bail};

use super::kernel::Address;
use super::model::{Call, Value};

/// A call's arguments, by their places.
pub struct Arguments<'a>(pub &'a Call);

impl Arguments<'_> {
    /// As written.
    pub fn get(&self, place: usize) -> Result<&Value> {
        let Self(call) = self;
        call.arguments
            .get(place)
            .with_context(|| format!("{}() lacks argument {}", call.name, place + 1))
    }

    /// A number, also of an open file.
    pub fn number(&self, place: usize) -> Result<i64> {
        match self.get(place)? {
            Value::Number(number) => Ok(*number),
            other => bail!(
                "argument {} of {}() has to be a number, not {other:?}",
                place + 1,
                self.0.name
            ),
        }
    }

    /// As C's `int`.
    pub fn int(&self, place: usize) -> Result<i32> {
        // Flags like EPOLLET use the sign's bit.
        Ok(self.number(place)? as i32)
    }

    /// Bytes, or how many of something.
    pub fn length(&self, place: usize) -> Result<usize> {
        usize::try_from(self.number(place)?).context("a length below 0")
    }

    /// What is written and read is the stream's, which no script has to say.
    pub fn content(&self, place: usize) -> Result<()> {
        match self.get(place)? {
            Value::Any => Ok(()),
            other => bail!(
                "{}() takes `...` for what it carries, not {other:?}",
                self.0.name
            ),
        }
    }
}

/// An address: the `usual` one, or none.
pub fn address(value: &Value, usual: SocketAddr) -> Result<Address> {
    if *value == Value::Any {
        return Ok(usual.into());
    }
    match value {
        Value::Number(0) => Ok(Address::unspecified()),
        _ => bail!("an address is `...`, or AF_UNSPEC"),
    }
}

/// The lengths of `[{..., 10}, {..., 20}]`.
pub fn parts(vectors: Option<&Value>) -> Result<Vec<usize>> {
    let Some(Value::List(vectors)) = vectors else {
        bail!("a list of parts is missing: [{{..., LENGTH}}, …]");
    };
    vectors
        .iter()
        .map(|part| match part {
            Value::Struct(members) => match &members[..] {
                [(None, Value::Any), (None, Value::Number(length))] => {
                    usize::try_from(*length).context("a length below 0")
                }
                _ => bail!("a part is {{..., LENGTH}}, not {part:?}"),
            },
            _ => bail!("a part is {{..., LENGTH}}, not {part:?}"),
        })
        .collect()
}

/// A socket option's value as the kernel has it.
pub fn option_value(value: &Value) -> Result<Vec<u8>> {
    let int = |number: &Value| match number {
        Value::Number(number) => Ok((*number as i32).to_ne_bytes()),
        other => bail!("a number of an option is {other:?}"),
    };
    match value {
        Value::List(numbers) => Ok(numbers
            .iter()
            .map(int)
            .collect::<Result<Vec<_>>>()?
            .concat()),
        Value::Text(text) => Ok(text.bytes().chain([0]).collect()),
        Value::Struct(_) => {
            let (Some(on), Some(linger)) = (value.member("onoff"), value.member("linger")) else {
                bail!("of structs of options, {{onoff=1, linger=0}} is understood");
            };
            Ok([int(on)?, int(linger)?].concat())
        }
        _ => bail!("an option's value is [NUMBER], \"text\" or {{onoff=1, linger=0}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(length: i64) -> Value {
        Value::Struct(vec![(None, Value::Any), (None, Value::Number(length))])
    }

    #[test]
    fn the_parts_of_a_message_have_lengths() {
        let list = Value::List(vec![part(10), part(0)]);
        assert_eq!(parts(Some(&list)).unwrap(), [10, 0]);
        assert!(parts(Some(&Value::List(vec![part(-1)]))).is_err());
        assert!(parts(None).is_err());
    }

    #[test]
    fn values_of_options_are_as_c_has_them() {
        let numbers = Value::List(vec![Value::Number(1), Value::Number(-1)]);
        assert_eq!(
            option_value(&numbers).unwrap(),
            [1i32.to_ne_bytes(), (-1i32).to_ne_bytes()].concat()
        );
        let text = Value::Text("reno".into());
        assert_eq!(option_value(&text).unwrap(), b"reno\0");
        let linger = ["onoff", "linger"].map(|name| (Some(name.to_owned()), Value::Number(1)));
        assert_eq!(
            option_value(&Value::Struct(linger.into())).unwrap(),
            [1i32.to_ne_bytes(); 2].concat()
        );
    }
}
