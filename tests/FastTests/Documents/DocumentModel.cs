using System.Text;

namespace FastTests.Documents;

/// <summary>
/// The document API in the plainest form: dictionaries, and a batch that works on a copy. What it says is right.
/// </summary>
internal sealed class DocumentModel
{
    private static readonly Dictionary<int, int> Folding = CaseFoldingSource.ReadList();

    internal sealed record Document(string Id, string Json, string Collection, long Etag, long LastModified);

    internal sealed record Tombstone(
        string Id, string Collection, bool IsLeft, long Etag, long DeletedEtag, long At);

    internal sealed record Operation(bool IsPut, string Id, string Json, string Collection, string? Expected);

    internal Dictionary<string, Document> Documents { get; private set; } = [];

    internal Dictionary<string, Tombstone> Tombstones { get; private set; } = [];

    /// <summary>Folded name to the name as it was first written.</summary>
    internal Dictionary<string, string> Collections { get; private set; } = [];

    internal long LastEtag { get; private set; }

    /// <summary>The simple folding of a text, by the frozen list and not by the product's table.</summary>
    internal static string Fold(string text)
    {
        StringBuilder folded = new();
        foreach (Rune rune in text.EnumerateRunes())
        {
            folded.Append(new Rune(Folding.GetValueOrDefault(rune.Value, rune.Value)));
        }

        return folded.ToString();
    }

    /// <summary>Does all operations, or none; gives the number of the one that could not be done, or -1.</summary>
    internal int Apply(IReadOnlyList<Operation> operations, long now)
    {
        DocumentModel copy = new()
        {
            Documents = new(Documents),
            Tombstones = new(Tombstones),
            Collections = new(Collections),
            LastEtag = LastEtag,
        };
        for (int i = 0; i < operations.Count; i++)
        {
            Operation operation = operations[i];
            string key = Fold(operation.Id);
            Document? old = copy.Documents.GetValueOrDefault(key);
            if (operation.Expected is { } expected
                && (expected.Length == 0 ? old is not null : old is null || Version(old.Etag) != expected
                    || old.Etag > LastEtag))
            {
                return i;
            }

            if (operation.IsPut)
            {
                copy.Put(key, operation, old, now);
            }
            else if (old is not null)
            {
                copy.Documents.Remove(key);
                copy.Tombstones["D" + key] = new(old.Id, old.Collection, false, ++copy.LastEtag, old.Etag, now);
            }
        }

        (Documents, Tombstones, Collections, LastEtag) =
            (copy.Documents, copy.Tombstones, copy.Collections, copy.LastEtag);
        return -1;
    }

    /// <summary>The model as it is now; what is applied later does not change it.</summary>
    internal DocumentModel Freeze() => new()
    {
        Documents = Documents,
        Tombstones = Tombstones,
        Collections = Collections,
        LastEtag = LastEtag,
    };

    internal static string Version(long etag) => TestDatabase.ChangeVectorOf(etag);

    private void Put(string key, Operation operation, Document? old, long now)
    {
        string collectionKey = Fold(operation.Collection);
        Collections.TryAdd(collectionKey, operation.Collection);
        if (old is not null && Fold(old.Collection) != collectionKey)
        {
            Tombstones["L" + key + "\u001E" + Fold(old.Collection)] =
                new(old.Id, old.Collection, true, ++LastEtag, old.Etag, now);
        }

        if (Tombstones.Remove("D" + key, out Tombstone? gone) && Fold(gone.Collection) != collectionKey)
        {
            // Readers of the collection that it was deleted from still have to learn of it.
            Tombstones["L" + key + "\u001E" + Fold(gone.Collection)] = gone with { IsLeft = true };
        }

        Documents[key] = new(operation.Id, operation.Json, operation.Collection, ++LastEtag, now);
    }
}
