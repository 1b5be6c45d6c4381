import { SPACER_MAX, clampPosition, moveBy, positionFor, positionOfScroll, rowOfKey, scrollOfPosition, spacerHeight, windowAt } from "./scrollMath.js";
import { jsx, jsxs, useCallback, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from "../vendor/react.js";

// src/grid/grid.tsx
/** The height of a row, in pixels. */
const ROW_HEIGHT = 28;
const LINE_HEIGHT = 40;
/** A line that is longer is no line of a table any more. */
const GROWN_MAX = 480;
/** Rows of any number; only those that are seen are drawn. The arrow keys, Home, End and the pages walk it. */
function Grid({ name, rows, columns, cell, onWindow, onOpen, isMarked, onMark, handle }) {
	const scroller = useRef(null);
	const setScroll = useRef(0);
	const id = useId();
	const [viewport, setViewport] = useState(0);
	const [wanted, setPosition] = useState(0);
	const [active, setActive] = useState(0);
	const size = {
		rows,
		rowHeight: 28,
		viewport
	};
	const position = clampPosition(wanted, size);
	const window = windowAt(position, size);
	const latest = useRef({
		size,
		position
	});
	latest.current = {
		size,
		position
	};
	useLayoutEffect(() => {
		const element = scroller.current;
		if (!element) return;
		const measure = () => setViewport(Math.max(0, element.clientHeight - 28));
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		measure();
		return () => observer.disconnect();
	}, []);
	useLayoutEffect(() => {
		const element = scroller.current;
		if (element && viewport > 0) {
			element.scrollTop = scrollOfPosition(position, latest.current.size);
			setScroll.current = element.scrollTop;
		}
	}, [
		position,
		viewport,
		rows
	]);
	const { first, end } = window;
	useEffect(() => {
		if (viewport > 0) onWindow({
			first,
			end,
			offset: 0
		});
	}, [
		first,
		end,
		viewport,
		onWindow
	]);
	useScrollByRows(scroller, latest, setPosition);
	useImperativeHandle(handle, () => ({
		view: () => ({
			position: latest.current.position,
			height: latest.current.size.viewport / 28
		}),
		show: setPosition,
		focus: () => scroller.current?.focus()
	}));
	const onKey = (event) => {
		if (event.target !== scroller.current || event.altKey || event.metaKey) return;
		const row = rowOfKey(event.key, active, size);
		if (row !== void 0) {
			event.preventDefault();
			setActive(row);
			setPosition(positionFor(row, position, size));
		} else if (event.key === "Enter" && onOpen && rows > 0) {
			event.preventDefault();
			onOpen(active);
		} else if (event.key === " " && onMark && rows > 0) {
			event.preventDefault();
			onMark(active);
		}
	};
	const width = columns.reduce((sum, column) => sum + column.width, 0);
	const template = columns.map(({ width: own, mayGrow }) => mayGrow ? `minmax(${own}px, ${GROWN_MAX}px)` : `${own}px`).join(" ");
	const lines = [];
	for (let row = window.first; row < window.end; row++) {
		const isMarkedRow = isMarked?.(row) ?? false;
		lines.push(/* @__PURE__ */ jsx("div", {
			id: `${id}-${row}`,
			role: "row",
			"aria-rowindex": row + 2,
			"aria-selected": onMark ? isMarkedRow : void 0,
			className: `grid-row${row === active ? " is-active" : ""}${isMarkedRow ? " is-marked" : ""}`,
			style: {
				gridTemplateColumns: template,
				top: (row - window.first) * 28
			},
			onPointerDown: () => setActive(row),
			onDoubleClick: () => onOpen?.(row),
			children: columns.map((column) => {
				const content = cell(row, column);
				return /* @__PURE__ */ jsx("div", {
					role: "gridcell",
					className: column.isNumber ? "number" : void 0,
					children: content === void 0 ? /* @__PURE__ */ jsx("span", { className: "on-its-way" }) : content
				}, column.key);
			})
		}, row));
	}
	return /* @__PURE__ */ jsx("div", {
		className: "grid",
		ref: scroller,
		role: "grid",
		"aria-label": name,
		"aria-rowcount": rows + 1,
		"aria-colcount": columns.length,
		"aria-activedescendant": active >= window.first && active < window.end ? `${id}-${active}` : void 0,
		tabIndex: 0,
		onKeyDown: onKey,
		onScroll: (event) => {
			const top = event.currentTarget.scrollTop;
			if (Math.abs(top - setScroll.current) > 1) setPosition(positionOfScroll(top, size));
		},
		children: /* @__PURE__ */ jsx("div", {
			className: "grid-spacer",
			style: {
				height: spacerHeight(size) + 28,
				width
			},
			children: /* @__PURE__ */ jsxs("div", {
				className: "grid-layer",
				style: { height: Math.min(viewport, spacerHeight(size)) + 28 },
				children: [/* @__PURE__ */ jsx("div", {
					role: "rowgroup",
					children: /* @__PURE__ */ jsx("div", {
						role: "row",
						"aria-rowindex": 1,
						className: "grid-head",
						style: { gridTemplateColumns: template },
						children: columns.map((column) => /* @__PURE__ */ jsx("div", {
							role: "columnheader",
							className: column.isNumber ? "number" : void 0,
							title: column.title,
							children: column.title
						}, column.key))
					})
				}), /* @__PURE__ */ jsx("div", {
					role: "rowgroup",
					className: "grid-body",
					children: /* @__PURE__ */ jsx("div", {
						role: "presentation",
						className: "grid-rows",
						style: { transform: `translateY(${window.offset}px)` },
						children: lines
					})
				})]
			})
		})
	});
}
/** Where a pixel of the scrollbar stands for several rows, the wheel and the finger move by pixels of rows. */
function useScrollByRows(scroller, latest, setPosition) {
	const move = useCallback((pixels) => setPosition(moveBy(latest.current.position, pixels, latest.current.size)), [latest, setPosition]);
	useEffect(() => {
		const element = scroller.current;
		if (!element) return;
		const isCapped = () => latest.current.size.rows * 28 > SPACER_MAX;
		let touched;
		const onWheel = (event) => {
			if (isCapped() && !event.ctrlKey && event.deltaY !== 0) {
				event.preventDefault();
				const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? LINE_HEIGHT : latest.current.size.viewport;
				move(event.deltaY * unit);
			}
		};
		const onTouch = (event) => {
			const y = event.touches[0]?.clientY;
			if (isCapped() && event.type === "touchmove" && touched !== void 0 && y !== void 0) {
				event.preventDefault();
				move(touched - y);
			}
			touched = y;
		};
		element.addEventListener("wheel", onWheel, { passive: false });
		element.addEventListener("touchstart", onTouch, { passive: true });
		element.addEventListener("touchmove", onTouch, { passive: false });
		return () => {
			element.removeEventListener("wheel", onWheel);
			element.removeEventListener("touchstart", onTouch);
			element.removeEventListener("touchmove", onTouch);
		};
	}, [
		scroller,
		latest,
		move
	]);
}

export { Grid };