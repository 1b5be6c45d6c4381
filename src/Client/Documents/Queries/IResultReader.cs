using System.Text.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>Reads the results of a query in place, from the body of the answer.</summary>
internal interface IResultReader
{
    /// <summary>Reads all results.</summary>
    /// <param name="reader">At the opening bracket of their list; at its closing one afterwards.</param>
    /// <param name="body">What the reader reads; it is not changed.</param>
    void Read(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body);
}
