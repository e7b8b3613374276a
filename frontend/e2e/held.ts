// What a page holds at one moment, read from inside the page.
// SPDX-License-Identifier: Apache-2.0

export interface Held {
  readonly html: string;
  readonly body: string;
  readonly title: string;
  readonly address: string;
  readonly state: string;
  readonly cookies: string;
  readonly local: string;
  readonly session: string;
  readonly databases: string;
  readonly caches: string;
  readonly timing: string;
  readonly globals: string;
}

/** Runs in the page, so it may use nothing of this file. */
export async function held(): Promise<Held> {
  const answered = <Result>(asking: IDBRequest<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      asking.onsuccess = () => resolve(asking.result);
      asking.onerror = () => reject(asking.error);
    });
  const databases: unknown[] = [];
  for (const { name } of await indexedDB.databases()) {
    databases.push(name);
    const database = await answered(indexedDB.open(name ?? ""));
    for (const store of database.objectStoreNames) {
      const rows = database.transaction(store).objectStore(store);
      databases.push(store, await answered(rows.getAllKeys()), await answered(rows.getAll()));
    }
    database.close();
  }
  const cached: string[] = [];
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    cached.push(name, ...requests.map(({ url }) => url));
  }
  return {
    html: document.documentElement.outerHTML,
    body: document.body.outerHTML,
    title: document.title,
    address: location.href,
    state: JSON.stringify([history.state, window.name]),
    cookies: document.cookie,
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    databases: JSON.stringify(databases),
    caches: cached.join(" "),
    timing: JSON.stringify(
      performance.getEntries().map((entry) => {
        const { name, entryType, serverTiming } = entry as PerformanceResourceTiming;
        return [name, entryType, serverTiming?.map((timing) => [timing.name, timing.description])];
      }),
    ),
    // The browser's own have getters; what a script leaves has a value.
    globals: Object.keys(window)
      .filter((name) => !Object.getOwnPropertyDescriptor(window, name)?.get)
      .join(" "),
  };
}
