using System.Globalization;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Tools.Bench.Suites.Blittable;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>A database in this process with the documents of a set.</summary>
internal sealed class StoredDocuments : IDisposable
{
    private const int BatchCount = 500;

    private StoredDocuments(Database database) => Database = database;

    internal Database Database { get; }

    /// <summary>Stores a set under a collection.</summary>
    internal static StoredDocuments Create(BenchContext context, DocumentSet set, string collection)
    {
        string folder = Path.Combine(context.ScratchDirectory, Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(folder);
        Database database = new(new DatabaseOptions
        {
            Name = "bench",
            Storage = () => new StorageOptions { FileSystem = new RealFileSystem(folder) },
            NewDatabaseId = Guid.NewGuid(),
            Random = new Random(1),
        });
        using OperationContext operation = new();
        byte[] metadata = Encoding.UTF8.GetBytes($",\"@metadata\":{{\"@collection\":\"{collection}\"}}}}");
        for (int from = 0; from < set.Count; from += BatchCount)
        {
            operation.Reset();
            BatchCommand batch = new(hashSeed: 1);
            batch.Reset(operation);
            for (int i = from; i < Math.Min(set.Count, from + BatchCount); i++)
            {
                byte[] json = [.. set[i].Span[..set[i].Span.LastIndexOf((byte)'}')], .. metadata];
                if (!operation.Parser.TryParse(json, BlittableMode.ToDisk, out BlittableObject document, out var error))
                {
                    throw new InvalidDataException(error.Reason);
                }

                byte[] id = Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{collection}/{i}"));
                batch.TryAddPut(id, document, ExpectedVersion.Any, skipIfUnchanged: false);
            }

            database.SubmitAsync(batch).AsTask().GetAwaiter().GetResult();
        }

        return new StoredDocuments(database);
    }

    public void Dispose() => Database.Dispose();
}
