// What sends a form, and above it why it was refused.
// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from "react";
import { Button } from "../design/Button";
import { Actions } from "./Actions";
import type { Act } from "./useAct";

interface SubmitProps extends Pick<Act, "busy" | "trouble"> {
  readonly children: ReactNode;
}

export function Submit({ busy, trouble, children }: SubmitProps) {
  return (
    <Actions trouble={trouble}>
      <Button type="submit" disabled={busy}>
        {children}
      </Button>
    </Actions>
  );
}
