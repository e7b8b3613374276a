// What can be done, and above it why what was tried came to nothing.
// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from "react";
import { Trouble } from "../design/Failure";
import { Row } from "../design/Row";
import type { Act } from "./useAct";

interface ActionsProps extends Pick<Act, "trouble"> {
  readonly children: ReactNode;
}

export function Actions({ trouble, children }: ActionsProps) {
  return (
    <>
      <Trouble text={trouble} />
      <Row>{children}</Row>
    </>
  );
}
