// What an address says.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { readAddress } from "./address";

test("the study, whether it is a preview, and what stands behind the #", () => {
  expect(readAddress({ pathname: "/s/my%20study/", search: "", hash: "" })).toEqual({
    slug: "my study",
    search: "",
    preview: false,
    invitation: null,
    participant_token: null,
    withdraw_token: null,
  });
  const invited = readAddress({ pathname: "/s/a", search: "?preview", hash: "#i=abc_-123" });
  expect(invited).toMatchObject({ preview: true, invitation: "abc_-123" });
  const link = (hash: string) => readAddress({ pathname: "/s/a", search: "?language=nb", hash });
  expect(link("#p=token").participant_token).toBe("token");
  expect(link("#w=token").withdraw_token).toBe("token");
});
