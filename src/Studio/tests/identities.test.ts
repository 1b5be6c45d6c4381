import { describe, expect, test } from "vitest";
import {
  type ApiKey,
  type Certificate,
  clearanceRefusal,
  endOf,
  identityState,
  manageRefusal,
  matrixDatabases,
  matrixRows,
  readList,
  readRightRows,
  rightIn,
  type WhoAmI,
} from "../src/pages/certificates/certificateModel";

const NOW = Date.parse("2026-11-28T00:00:00Z");

describe("who may what", () => {
  const certificate = (Name: string, more: Partial<Certificate> = {}): Certificate => ({
    Name,
    Thumbprint: `${Name}-thumb`,
    SecurityClearance: "ValidUser",
    Permissions: {},
    NotBefore: null,
    NotAfter: "2027-01-01T00:00:00Z",
    CollectionPrimaryKey: "",
    CollectionSecondaryKeys: [],
    CreatedAt: null,
    CreatedBy: null,
    LastSeenAt: null,
    ...more,
  });
  const key = (Name: string, more: Partial<ApiKey> = {}): ApiKey => ({
    Id: `${Name}-id`,
    Name,
    SecurityClearance: "ValidUser",
    Permissions: {},
    Scopes: null,
    AllowedAddresses: null,
    CreatedAt: null,
    CreatedBy: null,
    ExpiresAt: null,
    LastUsedAt: null,
    Disabled: false,
    ...more,
  });
  const who = (Kind: string, SecurityClearance: string): WhoAmI => ({
    Name: "me",
    Kind,
    SecurityClearance,
    Permissions: {},
    NotAfter: null,
  });

  test("the matrix has everybody by name, each database once, and says who counts no more", () => {
    const rows = matrixRows(
      [certificate("zoe", { Permissions: { Shop: "Read" } }), certificate("ann", { NotAfter: "2026-01-01T00:00:00Z" })],
      [key("mid", { Permissions: { shop: "Admin", art: "ReadWrite" } }), key("off", { Disabled: true })],
      NOW,
    );
    expect(rows.map((row) => [row.name, row.kind, row.counts])).toEqual([
      ["ann", "certificate", false],
      ["mid", "API key", true],
      ["off", "API key", false],
      ["zoe", "certificate", true],
    ]);
    expect(matrixDatabases(rows)).toHaveLength(2);
    expect(rows.map((row) => rightIn(row.clearance, row.permissions, "SHOP"))).toEqual([
      undefined,
      "Admin",
      undefined,
      "Read",
    ]);
    expect(rightIn("Operator", {}, "anything")).toBe("Admin");
    expect(rightIn("ValidUser", {}, "constructor")).toBeUndefined();
  });

  test("until when somebody counts", () => {
    const word = (at: string | null, isDisabled = false) => {
      const state = identityState(at, isDisabled, NOW);
      return `${state.tone} ${state.word}`;
    };
    expect(word(null)).toBe("good does not end");
    expect(word("2026-11-28T00:00:00Z")).toBe("bad ended");
    expect(word("2026-11-28T12:00:00Z")).toBe("stale ends today");
    expect(word("2026-11-29T12:00:00Z")).toBe("stale ends in 1 day");
    expect(word("2026-12-27T00:00:00Z")).toBe("stale ends in 29 days");
    expect(word("2026-12-28T00:00:00Z")).toBe("good counts, 30 days");
    expect(word(null, true)).toContain("disabled");
  });

  test("a key manages nobody, and only a cluster administrator another one", () => {
    expect(manageRefusal(who("Unsecured", "UnauthenticatedClients"))).toBeUndefined();
    expect(manageRefusal(who("ApiKey", "Operator"))).toContain("client certificate");
    expect(manageRefusal(who("Certificate", "ValidUser"))).toContain("Operator");
    expect(manageRefusal(who("Certificate", "Operator"))).toBeUndefined();
    expect(clearanceRefusal(who("Certificate", "Operator"), "ClusterAdmin")).toContain("ClusterAdmin");
    expect(clearanceRefusal(who("Certificate", "Operator"), "Operator")).toBeUndefined();
    expect(clearanceRefusal(who("Certificate", "ClusterAdmin"), "ClusterAdmin")).toBeUndefined();
  });

  test("rows of rights are read strictly: a name twice in any case is told", () => {
    expect(
      readRightRows([
        { database: " shop ", right: "Read" },
        { database: "", right: "Admin" },
      ]).permissions,
    ).toEqual({ shop: "Read" });
    expect(
      readRightRows([
        { database: "shop", right: "Read" },
        { database: "SHOP", right: "Admin" },
      ]).wrong,
    ).toBe("SHOP is there twice.");
    const odd = readRightRows([{ database: "__proto__", right: "Read" }]).permissions;
    expect(JSON.stringify(odd)).toBe('{"__proto__":"Read"}');
  });

  test("when somebody ends", () => {
    expect(endOf("30", "", NOW).at).toBe("2026-12-28T00:00:00.000Z");
    expect(endOf("never", "", NOW)).toEqual({ at: null });
    expect(endOf("day", "2030-01-31", NOW).at).toBe("2030-01-31T00:00:00.000Z");
    expect(endOf("day", "31.1.2030", NOW).wrong).toBeDefined();
    expect(endOf("day", "2030-02-31x", NOW).wrong).toBeDefined();
    expect(endOf("day", "2026-11-28", NOW).wrong).toBe("This day is over.");
    expect(readList(" 10.0.0.0/8, ::1\n2001:db8::/32;")).toEqual(["10.0.0.0/8", "::1", "2001:db8::/32"]);
  });
});
