// One loop of animation frames for all that is drawn: it calls those that can be
// seen, and rests while none is there or the page is hidden.
// SPDX-License-Identifier: Apache-2.0

type Draw = (now_ms: number) => void;

/** What is about to be scrolled into sight is drawn before it is there. */
const NEARLY = "120px";

const visible = new Map<Element, Draw>();
const watched = new Map<Element, Draw>();
const always = new Set<Draw>();
let frame = 0;
let observer: IntersectionObserver | null = null;

function observe(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const draw = watched.get(target);
        if (isIntersecting && draw) visible.set(target, draw);
        else visible.delete(target);
      }
      wake();
    },
    { rootMargin: NEARLY },
  );
  return observer;
}

/** Draws whenever `element` is in sight; returns how to stop. */
export function drawInSight(element: Element, draw: Draw): () => void {
  watched.set(element, draw);
  observe().observe(element);
  return () => {
    observe().unobserve(element);
    watched.delete(element);
    visible.delete(element);
  };
}

/** Called before those that draw, also when none of them is in sight. */
export function eachFrame(call: Draw): () => void {
  always.add(call);
  wake();
  return () => always.delete(call);
}

function wake(): void {
  if (frame === 0 && (visible.size > 0 || always.size > 0)) frame = requestAnimationFrame(tick);
}

function tick(now_ms: number): void {
  frame = 0;
  for (const call of always) call(now_ms);
  for (const draw of visible.values()) draw(now_ms);
  wake();
}
