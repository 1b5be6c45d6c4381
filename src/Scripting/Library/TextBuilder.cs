using System.Text;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>Builds text that is charged to the run as it grows, not when it is complete.</summary>
internal readonly struct TextBuilder(Run run)
{
    private readonly StringBuilder _text = new();

    internal int Length => _text.Length;

    internal void Append(ReadOnlySpan<char> part)
    {
        Charge(part.Length);
        _text.Append(part);
    }

    internal void Append(string part) => Append(part.AsSpan());

    internal void Append(char c)
    {
        Charge(1);
        _text.Append(c);
    }

    internal void Append(char c, int count)
    {
        Charge(count);
        _text.Append(c, count);
    }

    internal JsString ToJsString()
    {
        run.ChargeBytes(48 + (2L * _text.Length));
        return JsString.Of(_text.ToString());
    }

    private void Charge(int length)
    {
        run.CheckStringLength((long)_text.Length + length);
        run.ChargeBytes(2L * length);
        run.ChargeText(length);
    }
}
