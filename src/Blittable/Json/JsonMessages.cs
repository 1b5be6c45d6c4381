using System.Runtime.CompilerServices;

namespace Raven.Blittable.Json;

/// <summary>
/// Messages with a number or a name in them. They are put together here, and never inlined: string interpolation makes
/// a method clear its locals at each call, and the callers run for each document or object.
/// </summary>
internal static class JsonMessages
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static string TooDeep(int most) => $"Objects and arrays nest deeper than {most}.";

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static string TooManyProperties(int most) => $"The object has more than {most} properties.";

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static string TooLong(long most) => $"The document is longer than {most} bytes.";

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static string Repeated(string name) => $"The object has a property \"{name}\" already.";
}
