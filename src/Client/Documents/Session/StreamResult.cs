namespace Raven.Client.Documents.Session;

/// <summary>One document of a stream.</summary>
/// <param name="Id">Its id; null for a projection.</param>
/// <param name="ChangeVector">The change vector of the document.</param>
/// <param name="Metadata">Its metadata.</param>
/// <param name="Document">The document as an object, which no session tracks.</param>
public sealed record StreamResult<T>(string? Id, string? ChangeVector, IMetadataDictionary Metadata, T Document);
