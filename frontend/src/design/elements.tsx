// The few elements that every page is made of.
// SPDX-License-Identifier: Apache-2.0
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useRef } from "react";

interface SheetProps {
  readonly title: string;
  /** The tab's title when it should say more than the heading. */
  readonly tab?: string;
  readonly above?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A page of one heading. Whenever the heading changes it takes the focus, so
 * that a screen reader says where the reader is now. */
export function Sheet({ title, tab = title, above, wide = false, children }: SheetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title is what moves the focus
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  useEffect(() => {
    document.title = tab === "Thinlab" ? tab : `${tab} · Thinlab`;
  }, [tab]);
  return (
    <main className={wide ? "sheet wide" : "sheet"}>
      {above}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly quiet?: boolean;
  readonly slim?: boolean;
}

export function Button({ quiet = false, slim = false, className, ...rest }: ButtonProps) {
  const classes = ["button", quiet && "quiet", slim && "slim", className].filter(Boolean);
  return <button type="button" {...rest} className={classes.join(" ")} />;
}

interface NoticeProps {
  readonly tone?: "good" | "warn" | "bad";
  readonly title?: string;
  readonly children?: ReactNode;
}

export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={tone ? `notice ${tone}` : "notice"}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}

interface BarProps {
  readonly label: string;
  /** 0…1 */
  readonly share: number;
}

export function Bar({ label, share }: BarProps) {
  const clamped = Math.min(1, Math.max(0, share));
  return (
    <div
      className="bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(clamped * 100)}
    >
      <span style={{ transform: `scaleX(${clamped})` }} />
    </div>
  );
}
