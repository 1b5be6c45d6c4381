using System.Globalization;
using System.Text;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>Global constants and functions (ECMA-262, 19).</summary>
internal static class GlobalLibrary
{
    private const string Unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";
    private const string Reserved = ";/?:@&=+$,#";

    internal static void Build(RealmBuilder builder)
    {
        builder.Constant(builder.Realm.Global, "undefined", JsValue.Undefined);
        builder.Constant(builder.Realm.Global, "NaN", JsValue.NaN);
        builder.Constant(builder.Realm.Global, "Infinity", new JsValue(double.PositiveInfinity));
        Define(builder, "isNaN", (run, a) => JsValue.Of(double.IsNaN(Operations.ToNumber(run, a.At(0)))));
        Define(builder, "isFinite", (run, a) => JsValue.Of(double.IsFinite(Operations.ToNumber(run, a.At(0)))));
        Define(builder, "encodeURIComponent", (run, a) => Encode(run, a.At(0), Unreserved));
        Define(builder, "encodeURI", (run, a) => Encode(run, a.At(0), Unreserved + Reserved));
        Define(builder, "decodeURIComponent", (run, a) => Decode(run, a.At(0), ""));
        Define(builder, "decodeURI", (run, a) => Decode(run, a.At(0), Reserved));
    }

    private delegate JsValue Function(Run run, ReadOnlySpan<JsValue> arguments);

    private static void Define(RealmBuilder builder, string name, Function function) =>
        builder.DefineGlobal(name, new JsValue(builder.Function(name, 1, (run, _, a) => function(run, a))));

    private static JsValue Encode(Run run, JsValue value, string kept)
    {
        string text = Operations.ToText(run, value);
        TextBuilder result = new(run);
        Span<byte> bytes = stackalloc byte[4];
        for (int i = 0; i < text.Length; i++)
        {
            run.ChargeSteps(i & 1);
            if (kept.Contains(text[i]))
            {
                result.Append(text[i]);
                continue;
            }

            if (Rune.DecodeFromUtf16(text.AsSpan(i), out Rune rune,
                out int used) != System.Buffers.OperationStatus.Done)
            {
                throw UriError(run);
            }

            i += used - 1;
            foreach (byte one in bytes[..rune.EncodeToUtf8(bytes)])
            {
                result.Append("%" + one.ToString("X2", CultureInfo.InvariantCulture));
            }
        }

        return new JsValue(result.ToJsString());
    }

    private static JsValue Decode(Run run, JsValue value, string keptEncoded)
    {
        string text = Operations.ToText(run, value);
        TextBuilder result = new(run);
        byte[] bytes = new byte[4];
        for (int i = 0; i < text.Length; i++)
        {
            run.ChargeSteps(i & 1);
            if (text[i] != '%')
            {
                result.Append(text[i]);
                continue;
            }

            int start = i;
            bytes[0] = ReadByte(run, text, i);
            int length = bytes[0] < 0x80 ? 1 : bytes[0] switch { >= 0xF0 => 4, >= 0xE0 => 3, >= 0xC0 => 2, _ => 0 };
            for (int n = 1; n < length; n++)
            {
                i += 3;
                bytes[n] = ReadByte(run, text, i);
            }

            i += 2;
            if (length == 0 || Rune.DecodeFromUtf8(bytes.AsSpan(0, length), out Rune rune, out int used)
                != System.Buffers.OperationStatus.Done || used != length)
            {
                throw UriError(run);
            }

            result.Append(length == 1 && keptEncoded.Contains((char)bytes[0])
                ? text[start..(i + 1)] : rune.ToString());
        }

        return new JsValue(result.ToJsString());
    }

    private static byte ReadByte(Run run, string text, int at) =>
        at + 2 < text.Length && text[at] == '%' && byte.TryParse(
            text.AsSpan(at + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte value)
            ? value : throw UriError(run);

    private static ThrownException UriError(Run run)
    {
        run.Realm.TryGetGlobal(run, "URIError", out JsValue constructor);
        JsObject prototype = constructor.Object.Get(run, "prototype").Object;
        return new ThrownException(new JsValue(run.NewError(prototype, "URI malformed")), run.Position);
    }
}
