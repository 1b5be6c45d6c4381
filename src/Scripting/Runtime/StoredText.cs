using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Scripting.Runtime;

/// <summary>
/// A long text of a document. It is made a string when a script looks at its characters, and written as it is stored
/// when it does not. As any stored value it must not outlive the memory of its document.
/// </summary>
/// <param name="run">Who pays for the string.</param>
/// <param name="stored">The text.</param>
internal sealed class StoredText(Run run, BlittableValue stored)
{
    /// <summary>Shorter ones are strings at once.</summary>
    internal const int LengthMin = 64 * 1024;

    /// <summary>Where it is stored.</summary>
    internal BlittableValue Value => stored;

    /// <summary>Its characters.</summary>
    internal string ToText()
    {
        // It has as many characters at least: one that is far too long is not made.
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
