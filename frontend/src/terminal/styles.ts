// xterm.js writes its rules into <style> elements and `style` attributes, which
// the page's content security policy stops, as it should: no markup may bring
// rules along. The same rules as constructed sheets and through `style` as an
// object are the page's own doing, and allowed.
// SPDX-License-Identifier: Apache-2.0

type Create = (name: string) => HTMLElement;

/** Makes elements as a document does, but for those two ways to bring rules along. */
export class Elements {
  readonly #sheets = new Set<CSSStyleSheet>();
  readonly #original: Create = document.createElement.bind(document);

  /** The document, making such elements. */
  readonly document: Document = new Proxy(document, {
    get: (target, name) => {
      if (name === "createElement") return this.#create;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

  /** Has the page's own document make such elements too while `act` runs: a part of
   * xterm.js takes no other. */
  during(act: () => void): void {
    Object.defineProperty(document, "createElement", { value: this.#create, configurable: true });
    try {
      act();
    } finally {
      Reflect.deleteProperty(document, "createElement");
    }
  }

  /** Takes the rules away. */
  dispose(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
      (sheet) => !this.#sheets.has(sheet),
    );
  }

  readonly #create: Create = (name) => {
    if (name === "style") return this.#rules();
    const element = this.#original(name);
    if (name === "span") {
      element.setAttribute = (attribute, value) => {
        if (attribute === "style") element.style.cssText = value;
        else Element.prototype.setAttribute.call(element, attribute, value);
      };
    }
    return element;
  };

  #rules(): HTMLElement {
    const element = this.#original("span");
    element.hidden = true;
    const sheet = new CSSStyleSheet();
    this.#sheets.add(sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    Object.defineProperty(element, "textContent", {
      set: (rules: string) => sheet.replaceSync(rules),
    });
    return element;
  }
}
