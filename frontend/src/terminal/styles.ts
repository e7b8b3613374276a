// xterm.js writes its rules into <style> elements, which the page's content
// security policy stops, as it should: no markup may bring rules along. The same
// rules as a constructed style sheet are the page's own doing, and allowed.
// SPDX-License-Identifier: Apache-2.0

/** The document, but for its <style> elements: they hold no rules, only hand them on. */
export function documentWithSheets(sheets: Set<CSSStyleSheet>): Document {
  const createElement = (name: string) => {
    if (name !== "style") return document.createElement(name);
    const element = document.createElement("span");
    element.hidden = true;
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    Object.defineProperty(element, "textContent", {
      set: (rules: string) => sheet.replaceSync(rules),
    });
    return element;
  };
  return new Proxy(document, {
    get: (target, name) => {
      if (name === "createElement") return createElement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export function dropSheets(sheets: ReadonlySet<CSSStyleSheet>): void {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet));
}
