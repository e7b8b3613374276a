// An element of the design that can be made of another HTML element, or of another component.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentPropsWithRef, ElementType } from "react";

/** A component's own properties and those of what it is made of. */
export type As<Tag extends ElementType, Own = object> = Own & { readonly as?: Tag } & Omit<
    ComponentPropsWithRef<Tag>,
    keyof Own | "as"
  >;
