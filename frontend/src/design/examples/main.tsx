// The page of examples by itself: `pnpm examples`.
// SPDX-License-Identifier: Apache-2.0
import "../tokens.css";
import "../base.css";
import { createRoot } from "react-dom/client";
import { Examples } from "./Examples";

const place = document.getElementById("page");
if (place) createRoot(place).render(<Examples />);
