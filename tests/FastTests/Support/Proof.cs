namespace FastTests.Support;

/// <summary>
/// The trait by which <c>build.sh coverage</c> finds the tests that prove the core of the storage: crashes (T1), every
/// cut (T2), crashes upon crashes (T3), damage (T4), models (T5), audits (T6) and errors of the disk (T7). Others that
/// run the same code do not count for its coverage (T19).
/// </summary>
internal static class Proof
{
    internal const string Row = "Proof";
    internal const string Crashes = "T1";
    internal const string EveryCut = "T2";
    internal const string CrashesUponCrashes = "T3";
    internal const string Damage = "T4";
    internal const string Models = "T5";
    internal const string Audits = "T6";
    internal const string DiskErrors = "T7";
}
