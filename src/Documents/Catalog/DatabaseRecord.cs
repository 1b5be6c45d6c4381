namespace Raven.Documents.Catalog;

/// <summary>What the catalog keeps of a database: its record as the client sent it, and when it last changed.</summary>
/// <param name="Name">The name as it was created.</param>
/// <param name="Etag">Grows with every change of any record.</param>
/// <param name="Json">The record, UTF-8.</param>
public sealed record DatabaseRecord(string Name, long Etag, ReadOnlyMemory<byte> Json);
