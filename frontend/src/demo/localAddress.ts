// Addresses that lead nowhere on other devices.
// SPDX-License-Identifier: Apache-2.0

/** Whether it means whichever machine it is opened on. */
export function isLocal(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}
