using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Scripting.Runtime;

/// <summary>
/// A long text of a document. It becomes a string when a script reads its characters, and is otherwise written in its
/// stored form. Like any stored value it must not outlive the memory of its document.
/// </summary>
/// <param name="run">The run that is charged for the string.</param>
/// <param name="stored">The text.</param>
internal sealed class StoredText(Run run, BlittableValue stored)
{
    /// <summary>Shorter texts are strings immediately.</summary>
    internal const int LengthMin = 64 * 1024;

    internal BlittableValue Value => stored;

    /// <summary>Its characters.</summary>
    internal string ToText()
    {
        // It has at least so many characters: a text far over the limit is not decoded.
        run.CheckStringLength(stored.Utf8LengthMax / 3);
        run.TakeText(2L * stored.Utf8LengthMax);
        string text = stored.GetString();
        run.CheckStringLength(text.Length);
        run.ChargeBytes(64 + (2L * text.Length));
        return text;
    }

    /// <summary>Writes it, compressed if it is stored so.</summary>
    internal void Write(BlittableWriter writer)
    {
        run.ChargeText(stored.Utf8LengthMax);
        if (stored.TryGetUtf8(out ReadOnlySpan<byte> utf8))
        {
            // The writer decides whether to compress it.
            writer.String(utf8);
        }
        else
        {
            writer.Value(stored);
        }
    }
}
