using Raven.Scripting.Text;

namespace Raven.Scripting.Runtime;

/// <summary>Short texts of values for messages, without running any of the script's code.</summary>
internal static class Describe
{
    /// <summary>A longer BigInt, in bits, is not written out.</summary>
    private const int DigitsShown = 192;

    internal static string Key(object key) => key is string name ? $"'{MessageText.Cut(name)}'" : key.ToString()!;

    internal static string Value(JsValue value) => value.Kind switch
    {
        ValueKind.String => "\"" + MessageText.Cut(value.String.Flat) + "\"",
        ValueKind.Number => NumberText.Format(value.Number),
        ValueKind.Boolean => value.IsTrue ? "true" : "false",
        ValueKind.Null => "null",
        ValueKind.Undefined => "undefined",
        ValueKind.Symbol => value.Cell!.ToString()!,
        ValueKind.BigInt => BigInts.Of(value).GetBitLength() > DigitsShown ? "a BigInt"
            : BigIntText.Format(BigInts.Of(value), 10),
        _ when value.AsFunction is not null => "function",
        _ when value.Object.Class == ObjectClass.Array => "array",
        _ => "#<Object>",
    };
}
