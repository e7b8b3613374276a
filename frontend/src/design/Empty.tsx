// What stands where there is nothing, or nothing yet.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentPropsWithRef } from "react";
import look from "./look.module.css";

/** The words say whether more is to come. */
export function Empty(props: ComponentPropsWithRef<"p">) {
  return <p {...props} className={look.soft} />;
}
