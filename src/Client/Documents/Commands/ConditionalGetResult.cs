namespace Raven.Client.Documents.Commands;

/// <summary>A document that has changed, empty where there is none, or the news that it has not.</summary>
internal sealed record ConditionalGetResult(ReadOnlyMemory<byte> Document, bool IsUnchanged);
