namespace FastTests.Support;

/// <summary>
/// The trait by which <c>build.sh coverage</c> finds the tests that prove the core of the storage: crashes, every cut,
/// crashes upon crashes, damage, models, audits and errors of the disk. Others that run the same code do not count for
/// its coverage.
/// </summary>
internal static class Proof
{
    internal const string Row = "Proof";
    internal const string Crashes = "storage-crashes";
    internal const string EveryCut = "storage-every-cut";
    internal const string CrashesUponCrashes = "storage-crashes-upon-crashes";
    internal const string Damage = "storage-damage";
    internal const string Models = "storage-models";
    internal const string Audits = "storage-audits";
    internal const string DiskErrors = "storage-disk-errors";
}
