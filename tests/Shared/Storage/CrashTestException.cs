namespace Shared.Storage;

/// <summary>A crash test found something wrong.</summary>
internal sealed class CrashTestException(string message, Exception? cause = null) : Exception(message, cause);
