import type { ReactNode } from "react";
import { Icon } from "./icon";
import type { IconName } from "./iconPaths";

/** What a state means. */
export type Tone = "good" | "stale" | "bad" | "info" | "none";

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: "check",
  stale: "clock",
  bad: "alert",
  info: "info",
  none: "minus",
};

/** A state: a drawing, a word and a color, never the color alone. */
export function Chip({
  tone,
  icon,
  title,
  children,
}: {
  tone: Tone;
  icon?: IconName;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={`chip ${tone}`} title={title}>
      <Icon name={icon ?? ICONS[tone]} size={14} />
      <span>{children}</span>
    </span>
  );
}
