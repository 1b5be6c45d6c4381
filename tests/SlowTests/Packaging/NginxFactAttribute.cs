namespace SlowTests.Packaging;

/// <summary>A test that needs nginx, and is skipped on a machine without it.</summary>
internal sealed class NginxFactAttribute : FactAttribute
{
    public NginxFactAttribute()
    {
        if (!File.Exists(Program))
        {
            Skip = $"{Program} is not there: apt-get install nginx";
        }
    }

    /// <summary>Its path on Debian.</summary>
    internal static string Program => "/usr/sbin/nginx";
}
