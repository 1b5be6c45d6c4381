using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>An attachment in a map: <c>Name</c>, <c>Hash</c>, <c>ContentType</c>, <c>Size</c>; its content is read
/// on demand.</summary>
internal sealed class AttachmentRecord(StoredDocument document, AttachmentInfo info) : DynamicRecord(
    Properties, DynamicValue.Of(info.Name), DynamicValue.Of(info.Hash), DynamicValue.Of(info.ContentType),
    DynamicValue.Of(info.Size))
{
    private static readonly string[] Properties = ["Name", "Hash", "ContentType", "Size"];

    private readonly StoredDocument _document = document;
    private readonly string _name = info.Name;

    /// <summary>The content as a text.</summary>
    internal string Content() => LinkedValues.ContentOf(in _document, _name);
}
