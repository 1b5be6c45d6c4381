// src/json/turn.ts
/** Lets what waits have its turn. Timers would wait 4 ms each. */
function turn() {
	return new Promise((resolve) => {
		const channel = new MessageChannel();
		channel.port1.onmessage = () => {
			channel.port1.close();
			resolve();
		};
		channel.port2.postMessage(null);
	});
}

export { turn };