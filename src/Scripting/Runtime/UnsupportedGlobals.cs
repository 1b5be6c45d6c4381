using System.Collections.Frozen;

namespace Raven.Scripting.Runtime;

/// <summary>
/// Names that other hosts of JavaScript have, but scripts do not: the error of their first use says why. They stay
/// undefined, so that <c>typeof</c> shows that they are missing.
/// </summary>
internal static class UnsupportedGlobals
{
    private static readonly FrozenDictionary<string, string> Reasons = Build(
        ("scripts have no proxies", "Proxy Reflect"),
        ("a script runs to its end in one go",
            "Promise queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval"),
        ("scripts have no typed arrays",
            "ArrayBuffer SharedArrayBuffer DataView Atomics Int8Array Uint8Array Uint8ClampedArray Int16Array "
            + "Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array "
            + "BigUint64Array"),
        ("texts, numbers and dates have the form of the invariant culture", "Intl"),
        ("nothing that a script makes outlives its run", "WeakRef FinalizationRegistry"),
        ("a script does not make scripts", "eval"),
        ("scripts have no modules", "require module exports"));

    internal static string Message(string name) => Reasons.TryGetValue(name, out string? reason)
        ? $"{name} is not defined: {reason}" : $"{name} is not defined";

    private static FrozenDictionary<string, string> Build(params (string Reason, string Names)[] all) =>
        all.SelectMany(one => one.Names.Split(' ').Select(name => (name, one.Reason)))
            .ToFrozenDictionary(one => one.name, one => one.Reason, StringComparer.Ordinal);
}
