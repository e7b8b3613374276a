// Zoom and pan of the pictures: buttons, keys (+ − 0 and arrows), drag, and the wheel with Ctrl or Cmd.
document.documentElement.classList.add("scripted");
for (const figure of document.querySelectorAll("figure")) {
  const picture = figure.querySelector("svg.picture");
  const whole = picture.viewBox.baseVal;
  const [width, height] = [whole.width, whole.height];
  let view = { x: 0, y: 0, scale: 1 };

  const show = () => {
    const [w, h] = [width / view.scale, height / view.scale];
    view.x = Math.min(Math.max(view.x, 0), width - w);
    view.y = Math.min(Math.max(view.y, 0), height - h);
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${w} ${h}`);
    picture.classList.toggle("zoomed", view.scale > 1);
  };
  // A place of the picture stays where it is while the scale changes around it.
  const zoom = (factor, across = 0.5, down = 0.5) => {
    const scale = Math.min(Math.max(view.scale * factor, 1), 16);
    view.x += (width / view.scale - width / scale) * across;
    view.y += (height / view.scale - height / scale) * down;
    view.scale = scale;
    show();
  };
  const pan = (across, down) => {
    view.x += (across * width) / view.scale;
    view.y += (down * height) / view.scale;
    show();
  };
  const reset = () => {
    view = { x: 0, y: 0, scale: 1 };
    show();
  };

  const actions = { in: () => zoom(1.6), out: () => zoom(1 / 1.6), reset };
  for (const button of figure.querySelectorAll("button")) {
    button.addEventListener("click", actions[button.dataset.action]);
  }
  const keys = {
    "+": actions.in,
    "=": actions.in,
    "-": actions.out,
    0: reset,
    ArrowLeft: () => pan(-0.1, 0),
    ArrowRight: () => pan(0.1, 0),
    ArrowUp: () => pan(0, -0.1),
    ArrowDown: () => pan(0, 0.1),
  };
  picture.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    const moves = event.key.startsWith("Arrow");
    if (!action || event.ctrlKey || event.metaKey || event.altKey || (moves && view.scale === 1)) return;
    event.preventDefault();
    action();
  });
  picture.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = picture.getBoundingClientRect();
      const across = (event.clientX - box.left) / box.width;
      const down = (event.clientY - box.top) / box.height;
      zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, across, down);
    },
    { passive: false },
  );
  picture.addEventListener("pointerdown", (event) => {
    if (view.scale > 1) picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!picture.hasPointerCapture(event.pointerId)) return;
    const box = picture.getBoundingClientRect();
    pan(-event.movementX / box.width, -event.movementY / box.height);
  });
}
