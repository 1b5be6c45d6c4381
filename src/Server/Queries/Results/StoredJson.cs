using System.Text.Json;

namespace Raven.Server.Queries.Results;

/// <summary>Reads the JSON of what is stored, which nests deeper than .NET reads without being told.</summary>
internal static class StoredJson
{
    /// <summary>Of any depth that a document, and an entry of an index that holds a part of one, can have.</summary>
    internal static readonly JsonDocumentOptions AnyDepth = new() { MaxDepth = 1024 };
}
