// A row of the newest so many things; older ones fall out at the front.
// SPDX-License-Identifier: Apache-2.0

export class Ring<Item> {
  readonly capacity: number;
  #items: Item[] = [];
  #first = 0;
  #length = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get length(): number {
    return this.#length;
  }

  push(item: Item): void {
    if (this.#length < this.capacity) {
      this.#items[(this.#first + this.#length) % this.capacity] = item;
      this.#length += 1;
      return;
    }
    this.#items[this.#first] = item;
    this.#first = (this.#first + 1) % this.capacity;
  }

  at(index: number): Item | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    return this.#items[(this.#first + index) % this.capacity];
  }

  get first(): Item | undefined {
    return this.at(0);
  }

  get last(): Item | undefined {
    return this.at(this.#length - 1);
  }

  /** Lets go of the oldest ones for which this holds. */
  dropWhile(old: (item: Item) => boolean): void {
    while (this.#length > 0 && old(this.#items[this.#first] as Item)) {
      // The place would hold on to it.
      this.#items[this.#first] = undefined as Item;
      this.#first = (this.#first + 1) % this.capacity;
      this.#length -= 1;
    }
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
    this.#length = 0;
  }

  /** The index of the first item whose `key` is at least `value`, where keys rise. */
  lowerBound(key: (item: Item) => number, value: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (key(this.at(middle) as Item) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
