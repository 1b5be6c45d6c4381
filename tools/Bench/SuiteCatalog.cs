namespace Raven.Tools.Bench;

/// <summary>Finds the suites and child programs of this assembly.</summary>
internal static class SuiteCatalog
{
    /// <summary>Whether this program was built without the checks of Debug.</summary>
#if DEBUG
    internal static bool IsRelease => false;
#else
    internal static bool IsRelease => true;
#endif

    /// <summary>
    /// All suites by name; classes that share a name are parts of one suite, run in the order of their type names.
    /// </summary>
    internal static ILookup<string, IBenchSuite> Find() =>
        Create<IBenchSuite>().ToLookup(suite => suite.Name, StringComparer.Ordinal);

    internal static IEnumerable<T> Create<T>() => typeof(SuiteCatalog).Assembly.GetTypes()
        .Where(type => type is { IsClass: true, IsAbstract: false } && type.IsAssignableTo(typeof(T)))
        .OrderBy(type => type.FullName, StringComparer.Ordinal)
        .Select(type => (T)Activator.CreateInstance(type, nonPublic: true)!);
}
