export { unifiedMergeView } from "@codemirror/merge";
