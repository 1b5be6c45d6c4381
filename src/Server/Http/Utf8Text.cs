using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;

namespace Raven.Server.Http;

/// <summary>Texts of documents as UTF-8.</summary>
internal static class Utf8Text
{
    /// <summary>The text of a string value: in place, or decompressed into the context's arena.</summary>
    internal static ReadOnlySpan<byte> Of(in BlittableValue value, OperationContext context) =>
        value.TryGetUtf8(out ReadOnlySpan<byte> text) ? text : value.GetUtf8(context.Arena).Span;
}
