import { useEffect, useState } from "react";
import { announce } from "../app/announcer";
import { Button } from "./button";

/** Copies a text; where the browser gives no clipboard (a page over http from afar), selects it to be copied by hand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied.");
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "offscreen";
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    announce(isCopied ? "Copied." : "The browser does not let this page copy.");
    return isCopied;
  }
}

/** A button that copies a text, and says that it did. */
export function CopyButton({ text, children = "Copy" }: { text: string | (() => string); children?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    const timer = isCopied ? setTimeout(() => setCopied(false), 1500) : undefined;
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      kind="quiet"
      icon={isCopied ? "check" : "copy"}
      onClick={() => {
        void copyText(typeof text === "string" ? text : text()).then(setCopied);
      }}
    >
      {isCopied ? "Copied" : children}
    </Button>
  );
}
