//! Colours, line styles and fonts of all pictures.
// SPDX-License-Identifier: Apache-2.0

/// Name, colour on white, colour on black.
const COLOURS: [(&str, &str, &str); 10] = [
    ("ground", "#ffffff", "#15181c"),
    ("ink", "#1a1a1a", "#eceff1"),
    ("muted", "#595959", "#a9b3bb"),
    ("grid", "#e2e2e2", "#323940"),
    ("blue", "#0072b2", "#56b4e9"),
    ("orange", "#e69f00", "#f0b429"),
    ("green", "#009e73", "#2cc79b"),
    ("vermillion", "#d55e00", "#ff8246"),
    ("purple", "#cc79a7", "#e49bc4"),
    ("sky", "#56b4e9", "#9ad6fb"),
];

/// `$name` stands for a colour.
const RULES: &str = "\
.picture text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;font-size:11.5px;fill:$ink}\
.picture .small{font-size:10px;fill:$muted}\
.picture .ground{fill:$ground}\
.picture path,.picture line,.picture rect.box{fill:none}\
.picture .frame{stroke:$ink;stroke-width:1}\
.picture .grid{stroke:$grid;stroke-width:.7}\
.picture .new{stroke:$blue;stroke-width:1.6}\
.picture .old{stroke:$green;stroke-width:1.6}\
.picture path.bundle{fill:$ground;stroke:$green;stroke-width:1.3}\
.picture path.fast{fill:$orange;stroke:$ink;stroke-width:.6}\
.picture path.timeout{fill:$vermillion;stroke:$ink;stroke-width:.6}\
.picture path.fast.spurious,.picture path.timeout.spurious{fill:$ground;stroke-width:1.1}\
.picture path.fast.spurious{stroke:$orange}\
.picture path.timeout.spurious{stroke:$vermillion}\
.picture path.lost,.picture path.lost-back{stroke:$ink;stroke-width:1.5}\
.picture path.lost-back{stroke:$muted;stroke-width:1.1}\
.picture .ack{stroke:$muted;stroke-width:1}\
.picture .sack{stroke:$purple;stroke-width:1.8}\
.picture .way{stroke-width:1.1}\
.picture .way.new{stroke:$blue}\
.picture .way.bundle{stroke:$green;stroke-dasharray:7 2}\
.picture .way.fast{stroke:$orange;stroke-width:1.6;stroke-dasharray:4 2}\
.picture .way.timeout{stroke:$vermillion;stroke-width:1.6;stroke-dasharray:8 2 2 2}\
.picture .way.ack,.picture .way.control{stroke:$muted;stroke-width:.8;stroke-dasharray:1.5 1.5}\
.picture path.tip{fill:$ink;stroke:none}\
.picture .transport{stroke:$blue;stroke-width:1.7}\
.picture .application{stroke:$vermillion;stroke-width:1.7;stroke-dasharray:6 2.5}\
.picture .sojourn{stroke:$green;stroke-width:1.7;stroke-dasharray:1.5 2}\
.picture .s1{stroke:$vermillion}\
.picture .s2{stroke:$green}\
.picture .s3{stroke:$purple}\
.picture .s4{stroke:$orange}\
.picture .s5{stroke:$sky}\
.picture .s6{stroke:$ink}\
.picture .s0{stroke:$blue}\
.picture .box,.picture .whisker{stroke-width:1.2;stroke-dasharray:none}\
.picture .median{stroke:$ink;stroke-width:2.4}\
.picture .extreme{fill:$ground;stroke:$ink;stroke-width:1}\
.picture .fine path.lost,.picture .fine path.lost-back{stroke-width:.8}\
.picture .fine path.fast,.picture .fine path.timeout{stroke-width:.3}";

/// Colours spelled out: not every program that reads SVG knows variables.
pub(crate) fn standalone_style() -> String {
    coloured(|_, on_white| on_white.to_owned())
}

/// For a page, in variables, with their values in light and dark and on paper.
pub(crate) fn page_style() -> String {
    let light = variables(|colour| colour.1);
    let dark = variables(|colour| colour.2);
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{}\n",
        coloured(|name, _| format!("var(--{name})"))
    )
}

fn variables(value: impl Fn(&(&str, &'static str, &'static str)) -> &'static str) -> String {
    let variable =
        |colour: &(&str, &'static str, &'static str)| format!("--{}:{};", colour.0, value(colour));
    COLOURS.iter().map(variable).collect()
}

fn coloured(colour: impl Fn(&str, &str) -> String) -> String {
    let mut rules = RULES.to_owned();
    for (name, on_white, _) in COLOURS {
        rules = rules.replace(&format!("${name}"), &colour(name, on_white));
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::{page_style, standalone_style};

    #[test]
    fn every_colour_is_known() {
        assert!(!standalone_style().contains('$'));
        assert!(!standalone_style().contains("var("));
        assert!(!page_style().contains('$'));
    }
}
