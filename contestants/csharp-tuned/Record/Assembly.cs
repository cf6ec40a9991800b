// Assembly.cs: locals are not zeroed on entry; calls into native code need no marshalling.
[module: System.Runtime.CompilerServices.SkipLocalsInit]
[assembly: System.Runtime.CompilerServices.DisableRuntimeMarshalling]
