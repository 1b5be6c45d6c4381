using System.Text;
using Raven.Storage.Tables;

namespace FastTests.Storage.Tables;

/// <summary>The table of the models: rows of four columns, with an index of each kind.</summary>
internal static class SampleTable
{
    internal const int Id = 0;
    internal const int Etag = 1;
    internal const int Collection = 2;
    internal const int Body = 3;
    internal const int ByEtag = 1;
    internal const int ByCollectionAndEtag = 2;
    internal const int ByCollection = 3;

    internal static readonly TableSchema Schema = new(
        4,
        TableKeyPart.Bytes(Id),
        TableIndex.Number(Etag),
        TableIndex.Unique(TableKeyPart.Bytes(Collection), TableKeyPart.Int64(Etag)),
        TableIndex.Multi(TableKeyPart.Bytes(Collection)));

    /// <summary>Adds a row.</summary>
    /// <returns>False if one of its keys is taken.</returns>
    internal static bool Insert(Table table, string id, long etag, string collection, byte[] body)
    {
        TableRow row = table.Insert(id.Length, sizeof(long), collection.Length, body.Length);
        Fill(row, id, etag, collection, body);
        return table.TryComplete(row);
    }

    /// <summary>Writes the columns of a row that was made for texts of just these lengths.</summary>
    internal static void Fill(TableRow row, string id, long etag, string collection, byte[] body)
    {
        Encoding.ASCII.GetBytes(id, row.Writable(Id));
        row.SetInt64(Etag, etag);
        Encoding.ASCII.GetBytes(collection, row.Writable(Collection));
        body.CopyTo(row.Writable(Body));
    }
}
