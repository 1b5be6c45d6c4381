import { readLocal, writeLocal } from "./storage.js";

// src/app/theme.ts
const dark = window.matchMedia("(prefers-color-scheme: dark)");
/** The theme that was chosen. */
function chosenTheme() {
	const kept = readLocal("theme");
	return kept === "light" || kept === "dark" ? kept : "system";
}
/** Chooses a theme, and keeps it. */
function chooseTheme(theme) {
	writeLocal("theme", theme === "system" ? void 0 : theme);
	applyTheme();
}
/** Sets the theme of the page, and follows the machine. */
function applyTheme() {
	const theme = chosenTheme();
	const isDark = theme === "dark" || theme === "system" && dark.matches;
	document.documentElement.dataset.theme = isDark ? "dark" : "light";
}
dark.addEventListener("change", applyTheme);

export { applyTheme, chooseTheme, chosenTheme };