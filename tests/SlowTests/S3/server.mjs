// A server of S3 on a free port with the bucket "backups", below the folder that is named. It prints its port.
import S3rver from "s3rver";

const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: process.argv[2],
    configureBuckets: [{ name: "backups" }],
});
const { port } = await server.run();
console.log(port);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
