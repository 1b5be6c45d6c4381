import { jsx } from "../../vendor/react.js";

// src/pages/timeSeries/timeSeriesPart.tsx
function TimeSeriesPart({ parts }) {
	return /* @__PURE__ */ jsx("p", { children: parts.id });
}

export { TimeSeriesPart };