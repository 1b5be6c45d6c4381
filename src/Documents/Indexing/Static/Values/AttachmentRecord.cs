using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>An attachment in a map: <c>Name</c>, <c>Hash</c>, <c>ContentType</c>, <c>Size</c>; its content is read
/// on demand.</summary>
internal sealed class AttachmentRecord(StoredDocument document, AttachmentFacts facts) : DynamicRecord(
    Properties, DynamicValue.Of(facts.Name), DynamicValue.Of(facts.Hash), DynamicValue.Of(facts.ContentType),
    DynamicValue.Of(facts.Size))
{
    private static readonly string[] Properties = ["Name", "Hash", "ContentType", "Size"];

    private readonly StoredDocument _document = document;
    private readonly string _name = facts.Name;

    /// <summary>The content as a text.</summary>
    internal string Content() => LinkedFacts.ContentOf(in _document, _name);
}
