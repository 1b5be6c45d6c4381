using System.Buffers;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Documents.Commands;
using Raven.Documents.Indexing;
using Raven.Documents.Patching;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Results;

// Stores, patches and finds a document in the folder of the argument: with the library of the database, no server.
using DatabaseCatalog catalog = DatabaseCatalog.Open(new CatalogOptions
{
    Folders = new DatabaseFolders(args[0]), Random = new Random(), Indexing = IndexingServices.Create(),
});
using var contexts = new OperationContextPool();
var services = new QueryServices { HashSeed = 1, Contexts = contexts };
OperationContext kept = services.RentContext(), scratch = services.RentContext();
catalog.TryCreate("shop", "{}"u8, out Database? shop);
var batch = new BatchCommand(hashSeed: 1);
batch.Reset(kept);
kept.Parser.TryParse(
    """{"Name":"Chai","Price":18,"@metadata":{"@collection":"Teas"}}"""u8, BlittableMode.ToDisk, out var tea, out _);
batch.TryAddPut("teas/1"u8, tea, ExpectedVersion.Any);
await shop!.SubmitAsync(batch);
var patch = new PatchRequest { Id = batch[0].Id, Script = new PatchScript("this.Price += 1", default) };
batch.Reset(kept);
new PatchAction("PATCH", returnsDocument: false).TryAddTo(batch, in patch);
await services.SubmitAsync(shop, batch, default);
using QuerySession query = await QuerySession.BeginAsync(shop, QueryInput.Of("from Teas where Price > 18"), default);
using var results = new QueryResults(query, services, scratch, includes: null, isWanted: _ => true);
results.Find(kept);
var row = new ArrayBufferWriter<byte>();
while (results.TryNext(out QueryHit hit) && results.TryWrite(row, in hit))
{
}

Console.OpenStandardOutput().Write(row.WrittenSpan);
