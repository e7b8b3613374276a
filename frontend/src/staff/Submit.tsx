// What sends a form, and above it why it was refused.
// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from "react";
import { Button } from "../design/Button";
import { Trouble } from "../design/Failure";
import { Row } from "../design/Row";
import type { Act } from "./useAct";

interface SubmitProps extends Pick<Act, "busy" | "trouble"> {
  readonly children: ReactNode;
}

export function Submit({ busy, trouble, children }: SubmitProps) {
  return (
    <>
      <Trouble text={trouble} />
      <Row>
        <Button type="submit" disabled={busy}>
          {children}
        </Button>
      </Row>
    </>
  );
}
