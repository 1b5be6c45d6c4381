using System.Runtime.CompilerServices;

namespace Raven.Blittable.Json;

/// <summary>
/// Sentences with a number or a name in them. They are put together here, and never inlined: a method that does so
/// clears what it does so in at each call, and the callers are called for each document or object.
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
