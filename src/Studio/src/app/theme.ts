import { readLocal, writeLocal } from "./storage";

/** What the page looks like; system follows the machine. */
export type Theme = "system" | "light" | "dark";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** The theme that was chosen. */
export function chosenTheme(): Theme {
  const kept = readLocal("theme");
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Chooses a theme, and keeps it. */
export function chooseTheme(theme: Theme): void {
  writeLocal("theme", theme === "system" ? undefined : theme);
  applyTheme();
}

/** Sets the theme of the page, and follows the machine. */
export function applyTheme(): void {
  const theme = chosenTheme();
  const isDark = theme === "dark" || (theme === "system" && dark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

dark.addEventListener("change", applyTheme);
