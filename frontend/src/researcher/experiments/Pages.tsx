// Which piece of a long list is shown, and the ways to the next and the last.
// SPDX-License-Identifier: Apache-2.0
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";

interface PagesProps {
  /** What there is of, in the plural. */
  readonly what: string;
  readonly first: number;
  readonly shown: number;
  readonly total: number;
  readonly at_once: number;
  readonly onTurn: (first: number) => void;
}

export function Pages({ what, first, shown, total, at_once, onTurn }: PagesProps) {
  return (
    <Row>
      <span className={look.note} role="status">
        {total > at_once
          ? `${what} ${first + 1} to ${first + shown} of ${total}`
          : `${total} ${what.toLowerCase()}`}
      </span>
      {total > at_once && (
        <>
          <Button
            quiet
            slim
            disabled={first === 0}
            onClick={() => onTurn(Math.max(0, first - at_once))}
          >
            Earlier {what.toLowerCase()}
          </Button>
          <Button
            quiet
            slim
            disabled={first + shown >= total}
            onClick={() => onTurn(first + at_once)}
          >
            Later {what.toLowerCase()}
          </Button>
        </>
      )}
    </Row>
  );
}
