scenario("a column that is not among the first members of a document is shown", async ({ page, url, server }) => {
  await server.create();
  const members = Array.from({ length: 30 }, (_, at) => `"M${at}":"value ${at}"`).join(",");
  await server.put("wide/1", `{${members},"@metadata":{"@collection":"Wide"}}`);
  await page.goto(`${url}/studio/db/${server.database}/docs?collection=Wide&cols=M29`);
  await page.getByText("value 29", { exact: true }).waitFor();
});
