; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 1f0cfb27f32d8360dd551366acc23319d6e3374163e28b65dcfc17e36ce56962

%struct.anon = type { i64, i64, i64, i64, i64 }
%struct.anon.1 = type { i64, i64, [2 x i64], [2 x i64], i64, i64 }
%struct.anon.2 = type { [8 x i32], i64, [8 x i8], [128 x i8], i32, [12 x i8] }
%struct.anon.3 = type { i64, i64, i64, i64, i64, i64, i64, i64, i64, i64 }
%struct.anon.4 = type { i64, i64, [112 x i8] }
%struct.Object = type { i64 }
%struct.Step = type { ptr, i64, i64, i64, i64, i64 }
%struct.Row = type { ptr, i64, i64, i64, i64 }
%struct.Carry = type { i64, i64, i64, i64, i64 }
%struct.Sequence = type { i64, i64, i64 }
%struct.Changing = type { i64, i64 }
%struct.Job = type { ptr, ptr }

@pool_state = global %struct.anon { i64 1, i64 0, i64 0, i64 0, i64 1000 }, align 128
@busy = internal global i32 0, align 128
@sleepers = internal global i32 0, align 128
@signal_word = internal global i32 0, align 128
@finished = internal global i32 0, align 128
@caller_sleeps = internal global i32 0, align 128
@loop_now.0 = internal global i64 0, align 128
@loop_now.1 = internal global i64 0, align 8
@loop_now.2 = internal global ptr null, align 16
@loop_now.3 = internal global ptr null, align 8
@loop_now.4 = internal global i64 0, align 32
@loop_now.5 = internal global i64 0, align 8
@loop_now.6 = internal global i64 0, align 16
@lists = internal global [320 x ptr] zeroinitializer, align 16
@block_type = global ptr null, align 8
@entry_failure = global ptr null, align 8
@memory_state = global %struct.anon.1 zeroinitializer, align 64
@array_type = global ptr null, align 8
@block_failure = global ptr null, align 8
@record = global ptr null, align 8
@affinity = internal global %struct.anon.2 { [8 x i32] zeroinitializer, i64 0, [8 x i8] zeroinitializer, [128 x i8] zeroinitializer, i32 -1, [12 x i8] zeroinitializer }, align 16
@SYSTEM = external constant %struct.anon.3, align 8
@shares = internal global [64 x %struct.anon.4] zeroinitializer, align 128
@oldest = internal global ptr null, align 8
@newest = internal global ptr null, align 8
@memory_lock = internal global i32 0, align 64
@Py_None = external global %struct.Object, align 8

define void @parallel_for(ptr %0, ptr %1, i64 %2, i64 %3) nounwind {
  %5 = alloca i32, align 4
  %6 = alloca [128 x i8], align 16
  %7 = alloca ptr, align 8
  %8 = alloca [128 x i8], align 16
  %9 = alloca [128 x i8], align 16
  %10 = load atomic i64, ptr @pool_state seq_cst, align 128
  %11 = add i64 %2, -1
  %12 = add i64 %11, %3
  %13 = udiv i64 %12, %3
  %14 = icmp slt i64 %10, 2
  %15 = add i64 %13, -2147483648
  %16 = icmp ult i64 %15, -2147483646
  %17 = or i1 %14, %16
  br i1 %17, label %21, label %18

18:
  %19 = cmpxchg ptr @busy, i32 0, i32 1 seq_cst seq_cst, align 128
  %20 = extractvalue { i32, i1 } %19, 1
  br i1 %20, label %31, label %21

21:
  %22 = icmp sgt i64 %2, 0
  br i1 %22, label %23, label %152

23:
  %24 = phi i64 [ %28, %23 ], [ 0, %21 ]
  %25 = phi i64 [ %29, %23 ], [ 0, %21 ]
  %26 = sub i64 %2, %24
  %27 = tail call i64 @llvm.smin.i64(i64 %3, i64 %26)
  %28 = add i64 %27, %24
  tail call void %0(ptr %1, i64 %24, i64 %28, i64 %25)
  %29 = add i64 %25, 1
  %30 = icmp slt i64 %28, %2
  br i1 %30, label %23, label %152

31:
  %32 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %34, label %61

34:
  store atomic i64 1, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 32) seq_cst, align 16
  tail call void @llvm.memset.p0.i64(ptr align 16 @affinity, i8 -1, i64 32, i1 false)
  store i32 -1, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 176), align 16
  %35 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 72), align 8
  %36 = tail call i64 (i64, ...) @syscall(i64 %35, i32 0, i64 128, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 48))
  %37 = load atomic i64, ptr @pool_state seq_cst, align 128
  %38 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %39 = call i32 @sigfillset(ptr %8)
  %40 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 16), align 8
  %41 = trunc i64 %40 to i32
  %42 = call i32 @pthread_sigmask(i32 %41, ptr %8, ptr %9)
  %43 = icmp sgt i64 %37, 1
  br i1 %43, label %44, label %59

44:
  %45 = inttoptr i64 %38 to ptr
  br label %46

46:
  %47 = phi i64 [ 1, %44 ], [ %57, %54 ]
  %48 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), i64 1 seq_cst, align 16
  %49 = call i32 @pthread_create(ptr %7, ptr null, ptr @pool_thread, ptr %45)
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %54, label %51

51:
  %52 = cmpxchg ptr @pool_state, i64 %37, i64 %47 seq_cst seq_cst, align 128
  %53 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), i64 -1 seq_cst, align 16
  br label %59

54:
  %55 = load ptr, ptr %7, align 8
  %56 = call i32 @pthread_detach(ptr %55)
  %57 = add nuw nsw i64 %47, 1
  %58 = icmp eq i64 %57, %37
  br i1 %58, label %59, label %46

59:
  %60 = call i32 @pthread_sigmask(i32 %41, ptr %9, ptr null)
  br label %61

61:
  %62 = call i64 @llvm.smin.i64(i64 %10, i64 64)
  %63 = load i64, ptr @loop_now.1, align 8
  %64 = add i64 %63, 1
  store i64 %64, ptr @loop_now.1, align 8
  %65 = shl i64 %64, 32
  %66 = or disjoint i64 %65, 4294967295
  br label %69

67:
  store ptr %0, ptr @loop_now.2, align 16
  store ptr %1, ptr @loop_now.3, align 8
  store i64 %2, ptr @loop_now.4, align 32
  store i64 %3, ptr @loop_now.5, align 8
  store i64 %13, ptr @loop_now.6, align 16
  store atomic i32 0, ptr @finished seq_cst, align 128
  store atomic i64 %62, ptr @loop_now.0 seq_cst, align 128
  %68 = add nsw i64 %62, -1
  br label %74

69:
  %70 = phi i64 [ 0, %61 ], [ %72, %69 ]
  %71 = getelementptr inbounds nuw %struct.anon.4, ptr @shares, i64 %70
  store atomic i64 %66, ptr %71 seq_cst, align 128
  %72 = add nuw i64 %70, 1
  %73 = icmp eq i64 %72, %62
  br i1 %73, label %67, label %69

74:
  %75 = phi i64 [ 0, %67 ], [ %77, %74 ]
  %76 = phi i64 [ 0, %67 ], [ %80, %74 ]
  %77 = add nuw i64 %75, 1
  %78 = mul i64 %77, %13
  %79 = add i64 %68, %78
  %80 = udiv i64 %79, %62
  %81 = getelementptr inbounds nuw %struct.anon.4, ptr @shares, i64 %75
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 8
  store atomic i64 %80, ptr %82 seq_cst, align 8
  %83 = or i64 %76, %65
  store atomic i64 %83, ptr %81 seq_cst, align 128
  %84 = icmp eq i64 %77, %62
  br i1 %84, label %85, label %74

85:
  %86 = atomicrmw add ptr @signal_word, i32 1 seq_cst, align 128
  %87 = load atomic i32, ptr @sleepers seq_cst, align 128
  %88 = icmp eq i32 %87, 0
  br i1 %88, label %127, label %89

89:
  %90 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 32) seq_cst, align 16
  %91 = add i64 %90, -9
  %92 = icmp ult i64 %91, -8
  br i1 %92, label %122, label %93

93:
  %94 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 56), align 8
  %95 = call i64 (i64, ...) @syscall(i64 %94, ptr %5, ptr null, ptr null)
  %96 = icmp eq i64 %95, 0
  br i1 %96, label %97, label %122

97:
  %98 = load i32, ptr %5, align 4
  %99 = load i32, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 176), align 16
  %100 = icmp eq i32 %98, %99
  %101 = icmp ugt i32 %98, 1023
  %102 = or i1 %101, %100
  br i1 %102, label %122, label %103

103:
  store i32 %98, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 176), align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %6, ptr align 16 getelementptr inbounds nuw (i8, ptr @affinity, i64 48), i64 128, i1 false)
  %104 = and i32 %98, 7
  %105 = shl nuw nsw i32 1, %104
  %106 = lshr i32 %98, 3
  %107 = zext nneg i32 %106 to i64
  %108 = getelementptr inbounds nuw i8, ptr %6, i64 %107
  %109 = load i8, ptr %108, align 1
  %110 = trunc nuw i32 %105 to i8
  %111 = xor i8 %110, -1
  %112 = and i8 %109, %111
  store i8 %112, ptr %108, align 1
  %113 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 64), align 8
  br label %115

114:
  br label %122

115:
  %116 = phi i64 [ 0, %103 ], [ %120, %115 ]
  %117 = getelementptr inbounds nuw i32, ptr @affinity, i64 %116
  %118 = load i32, ptr %117, align 4
  %119 = call i64 (i64, ...) @syscall(i64 %113, i32 %118, i64 128, ptr %6)
  %120 = add nuw nsw i64 %116, 1
  %121 = icmp eq i64 %120, %90
  br i1 %121, label %114, label %115

122:
  %123 = trunc nuw i64 %13 to i32
  %124 = add nsw i32 %123, -1
  %125 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  %126 = call i64 (i64, ...) @syscall(i64 %125, ptr @signal_word, i32 129, i32 %124, ptr null, ptr null, i32 0)
  br label %127

127:
  call fastcc void @drain(i64 0)
  %128 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 32) seq_cst, align 32
  %129 = call i64 @llvm.umax.i64(i64 %128, i64 1)
  br label %130

130:
  %131 = phi i64 [ 0, %127 ], [ %136, %135 ]
  %132 = load atomic i32, ptr @finished seq_cst, align 128
  %133 = sext i32 %132 to i64
  %134 = icmp eq i64 %13, %133
  br i1 %134, label %151, label %135

135:
  call void @relax()
  %136 = add nuw i64 %131, 1
  %137 = icmp eq i64 %136, %129
  br i1 %137, label %138, label %130

138:
  store atomic i32 1, ptr @caller_sleeps seq_cst, align 128
  %139 = load atomic i32, ptr @finished seq_cst, align 128
  %140 = sext i32 %139 to i64
  %141 = icmp eq i64 %13, %140
  br i1 %141, label %150, label %142

142:
  %143 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  br label %144

144:
  %145 = phi i32 [ %139, %142 ], [ %147, %144 ]
  %146 = call i64 (i64, ...) @syscall(i64 %143, ptr @finished, i32 128, i32 %145, ptr null, ptr null, i32 0)
  %147 = load atomic i32, ptr @finished seq_cst, align 128
  %148 = sext i32 %147 to i64
  %149 = icmp eq i64 %13, %148
  br i1 %149, label %150, label %144

150:
  store atomic i32 0, ptr @caller_sleeps seq_cst, align 128
  br label %151

151:
  store atomic i32 0, ptr @busy seq_cst, align 128
  br label %152

152:
  ret void
}

define internal fastcc void @drain(i64 %0) nounwind {
  %2 = load atomic i64, ptr @loop_now.0 seq_cst, align 128
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %6, label %4

4:
  %5 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  br label %7

6:
  ret void

7:
  %8 = phi i64 [ 0, %4 ], [ %48, %47 ]
  %9 = add i64 %8, %0
  %10 = urem i64 %9, %2
  %11 = getelementptr inbounds nuw %struct.anon.4, ptr @shares, i64 %10
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %13 = load atomic i64, ptr %11 seq_cst, align 128
  %14 = load atomic i64, ptr %12 seq_cst, align 8
  %15 = and i64 %13, 4294967295
  %16 = icmp ult i64 %15, %14
  br i1 %16, label %17, label %47

17:
  %18 = phi i64 [ %45, %42 ], [ %15, %7 ]
  %19 = phi i64 [ %43, %42 ], [ %13, %7 ]
  %20 = add i64 %19, 1
  %21 = cmpxchg ptr %11, i64 %19, i64 %20 seq_cst seq_cst, align 128
  %22 = extractvalue { i64, i1 } %21, 1
  br i1 %22, label %23, label %42

23:
  %24 = load i64, ptr @loop_now.5, align 8
  %25 = mul i64 %24, %18
  %26 = load i64, ptr @loop_now.4, align 32
  %27 = sub i64 %26, %25
  %28 = tail call i64 @llvm.smin.i64(i64 %24, i64 %27)
  %29 = add i64 %28, %25
  %30 = load i64, ptr @loop_now.6, align 16
  %31 = trunc i64 %30 to i32
  %32 = load ptr, ptr @loop_now.2, align 16
  %33 = load ptr, ptr @loop_now.3, align 8
  tail call void %32(ptr %33, i64 %25, i64 %29, i64 %18)
  %34 = atomicrmw add ptr @finished, i32 1 seq_cst, align 128
  %35 = add i32 %34, 1
  %36 = icmp eq i32 %35, %31
  br i1 %36, label %37, label %42

37:
  %38 = load atomic i32, ptr @caller_sleeps seq_cst, align 128
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %42, label %40

40:
  %41 = tail call i64 (i64, ...) @syscall(i64 %5, ptr @finished, i32 129, i32 1, ptr null, ptr null, i32 0)
  br label %42

42:
  %43 = load atomic i64, ptr %11 seq_cst, align 128
  %44 = load atomic i64, ptr %12 seq_cst, align 8
  %45 = and i64 %43, 4294967295
  %46 = icmp ult i64 %45, %44
  br i1 %46, label %17, label %47

47:
  %48 = add nuw i64 %8, 1
  %49 = icmp eq i64 %48, %2
  br i1 %49, label %6, label %7
}

declare void @relax()

define void @pool_stop() nounwind {
  %1 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24), i64 1 seq_cst, align 8
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  %2 = atomicrmw add ptr @signal_word, i32 1 seq_cst, align 128
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  %4 = tail call i64 (i64, ...) @syscall(i64 %3, ptr @signal_word, i32 129, i32 2147483647, ptr null, ptr null, i32 0)
  ret void
}

define void @pool_forget() nounwind {
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16) seq_cst, align 16
  store atomic i32 0, ptr @sleepers seq_cst, align 128
  store atomic i32 0, ptr @caller_sleeps seq_cst, align 128
  store atomic i64 0, ptr @loop_now.0 seq_cst, align 128
  store atomic i32 0, ptr @busy seq_cst, align 128
  ret void
}

define void @pool_pause(i64 %0) nounwind {
  %2 = tail call i64 @llvm.umax.i64(i64 %0, i64 1)
  br label %3

3:
  %4 = phi i64 [ 0, %1 ], [ %6, %3 ]
  %5 = load atomic i32, ptr @signal_word seq_cst, align 128
  tail call void @relax()
  %6 = add nuw i64 %4, 1
  %7 = icmp eq i64 %6, %2
  br i1 %7, label %8, label %3

8:
  ret void
}

define void @nothing(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  ret void
}

define void @memory_trim() nounwind {
  tail call fastcc void @evict(i64 0)
  br label %1

1:
  %2 = phi i64 [ 0, %0 ], [ %29, %28 ]
  %3 = getelementptr inbounds nuw ptr, ptr @lists, i64 %2
  %4 = icmp samesign ult i64 %2, 16
  %5 = add nsw i64 %2, -16
  %6 = and i64 %2, 7
  %7 = add nuw nsw i64 %6, 9
  %8 = lshr i64 %5, 3
  %9 = add nuw nsw i64 %8, 7
  %10 = shl i64 %7, %9
  %11 = shl i64 %2, 6
  %12 = add nuw nsw i64 %11, 64
  %13 = select i1 %4, i64 %12, i64 %10
  br label %15

14:
  ret void

15:
  %16 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %21, label %18

18:
  tail call void @relax()
  %19 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %18

21:
  %22 = load ptr, ptr %3, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %28, label %24

24:
  %25 = load ptr, ptr %22, align 8
  store ptr %25, ptr %3, align 8
  %26 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %27 = sub i64 %26, %13
  store i64 %27, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  store atomic i32 0, ptr @memory_lock release, align 64
  tail call void @free(ptr %22)
  br label %15

28:
  store atomic i32 0, ptr @memory_lock release, align 64
  %29 = add nuw nsw i64 %2, 1
  %30 = icmp eq i64 %29, 80
  br i1 %30, label %14, label %1
}

define internal fastcc void @evict(i64 %0) nounwind {
  br label %2

2:
  %3 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %8, label %5

5:
  tail call void @relax()
  %6 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %5

8:
  %9 = load ptr, ptr @oldest, align 8
  %10 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %11 = icmp sgt i64 %10, %0
  %12 = icmp ne ptr %9, null
  %13 = select i1 %11, i1 %12, i1 false
  br i1 %13, label %14, label %66

14:
  %15 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = load ptr, ptr %9, align 8
  %18 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, null
  %21 = getelementptr inbounds ptr, ptr @lists, i64 %16
  %22 = select i1 %20, ptr %21, ptr %19
  store ptr %17, ptr %22, align 8
  %23 = icmp eq ptr %17, null
  br i1 %23, label %27, label %24

24:
  %25 = load ptr, ptr %18, align 8
  %26 = getelementptr inbounds nuw i8, ptr %17, i64 8
  store ptr %25, ptr %26, align 8
  br label %27

27:
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %29 = load ptr, ptr %28, align 8
  %30 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  %33 = getelementptr inbounds nuw i8, ptr %31, i64 24
  %34 = select i1 %32, ptr @oldest, ptr %33
  store ptr %29, ptr %34, align 8
  %35 = load ptr, ptr %30, align 8
  %36 = icmp eq ptr %29, null
  %37 = getelementptr inbounds nuw i8, ptr %29, i64 16
  %38 = select i1 %36, ptr @newest, ptr %37
  store ptr %35, ptr %38, align 8
  %39 = load i64, ptr %15, align 8
  %40 = icmp slt i64 %39, 16
  br i1 %40, label %41, label %44

41:
  %42 = shl i64 %39, 6
  %43 = add i64 %42, 64
  br label %51

44:
  %45 = add nsw i64 %39, -16
  %46 = and i64 %39, 7
  %47 = add nuw nsw i64 %46, 9
  %48 = lshr i64 %45, 3
  %49 = add nuw nsw i64 %48, 7
  %50 = shl i64 %47, %49
  br label %51

51:
  %52 = phi i64 [ %43, %41 ], [ %50, %44 ]
  %53 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %54 = sub i64 %53, %52
  store i64 %54, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  store atomic i32 0, ptr @memory_lock release, align 64
  %55 = icmp sgt i64 %16, 79
  br i1 %55, label %56, label %64

56:
  %57 = add nsw i64 %16, -16
  %58 = and i64 %16, 7
  %59 = add nuw nsw i64 %58, 9
  %60 = lshr i64 %57, 3
  %61 = add nuw nsw i64 %60, 7
  %62 = shl i64 %59, %61
  %63 = tail call i32 @munmap(ptr %9, i64 %62)
  br label %65

64:
  tail call void @free(ptr %9)
  br label %65

65:
  br label %2

66:
  store atomic i32 0, ptr @memory_lock release, align 64
  ret void
}

declare void @free(ptr)

define ptr @block_take(ptr %0, ptr %1) nounwind {
  %3 = tail call i64 @PyLong_AsSsize_t(ptr %1)
  %4 = icmp slt i64 %3, 0
  br i1 %4, label %5, label %8

5:
  %6 = tail call ptr @PyErr_Occurred()
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %10

8:
  %9 = tail call fastcc ptr @block_new(i64 %3)
  br label %10

10:
  %11 = phi ptr [ %9, %8 ], [ null, %5 ]
  ret ptr %11
}

declare i64 @PyLong_AsSsize_t(ptr)

declare ptr @PyErr_Occurred()

define internal fastcc ptr @block_new(i64 %0) nounwind {
  %2 = icmp ugt i64 %0, 140737488355327
  br i1 %2, label %3, label %9

3:
  %4 = tail call ptr @PyLong_FromSsize_t(i64 %0)
  %5 = icmp eq ptr %4, null
  br i1 %5, label %41, label %6

6:
  %7 = load ptr, ptr @block_failure, align 8
  %8 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %7, ptr %4, ptr null)
  tail call void @Py_DecRef(ptr %4)
  br label %41

9:
  %10 = tail call i64 @llvm.usub.sat.i64(i64 %0, i64 1)
  %11 = icmp samesign ult i64 %10, 1024
  br i1 %11, label %12, label %14

12:
  %13 = lshr i64 %10, 6
  br label %21

14:
  %15 = tail call i64 @llvm.ctlz.i64(i64 %10, i1 true)
  %16 = sub nuw nsw i64 60, %15
  %17 = lshr i64 %10, %16
  %18 = shl nuw nsw i64 %15, 3
  %19 = sub nsw i64 %17, %18
  %20 = add nsw i64 %19, 432
  br label %21

21:
  %22 = phi i64 [ %13, %12 ], [ %20, %14 ]
  %23 = tail call fastcc ptr @memory_take(i64 %22)
  %24 = icmp eq ptr %23, null
  br i1 %24, label %25, label %31

25:
  %26 = tail call ptr @PyLong_FromSsize_t(i64 %0)
  %27 = icmp eq ptr %26, null
  br i1 %27, label %41, label %28

28:
  %29 = load ptr, ptr @block_failure, align 8
  %30 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %29, ptr %26, ptr null)
  tail call void @Py_DecRef(ptr %26)
  br label %41

31:
  %32 = load ptr, ptr @block_type, align 8
  %33 = tail call ptr @_PyObject_New(ptr %32)
  %34 = icmp eq ptr %33, null
  br i1 %34, label %40, label %35

35:
  %36 = load i64, ptr @SYSTEM, align 8
  %37 = getelementptr inbounds i8, ptr %33, i64 %36
  store ptr %23, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 8
  store i64 %0, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %37, i64 16
  store i64 %22, ptr %39, align 8
  br label %41

40:
  tail call fastcc void @memory_release(ptr %23, i64 %22)
  br label %41

41:
  %42 = phi ptr [ %33, %35 ], [ null, %6 ], [ null, %40 ], [ null, %3 ], [ null, %25 ], [ null, %28 ]
  ret ptr %42
}

define void @block_dealloc(ptr %0) nounwind {
  %2 = load i64, ptr @SYSTEM, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 %2
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %6 = load i64, ptr %5, align 8
  tail call fastcc void @memory_release(ptr %4, i64 %6)
  %7 = load ptr, ptr @block_type, align 8
  tail call void @PyObject_Free(ptr %0)
  tail call void @Py_DecRef(ptr %7)
  ret void
}

define internal fastcc void @memory_release(ptr %0, i64 %1) nounwind {
  %3 = icmp slt i64 %1, 16
  br i1 %3, label %4, label %7

4:
  %5 = shl i64 %1, 6
  %6 = add i64 %5, 64
  br label %14

7:
  %8 = add nsw i64 %1, -16
  %9 = and i64 %1, 7
  %10 = add nuw nsw i64 %9, 9
  %11 = lshr i64 %8, 3
  %12 = add nuw nsw i64 %11, 7
  %13 = shl i64 %10, %12
  br label %14

14:
  %15 = phi i64 [ %6, %4 ], [ %13, %7 ]
  %16 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %21, label %18

18:
  tail call void @relax()
  %19 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %18

21:
  %22 = load i64, ptr @memory_state, align 64
  %23 = sub i64 %22, %15
  store i64 %23, ptr @memory_state, align 64
  %24 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %25 = add i64 %24, -1
  store i64 %25, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %26 = icmp slt i64 %1, 80
  %27 = zext i1 %26 to i64
  %28 = getelementptr inbounds nuw i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 32), i64 %27
  %29 = load i64, ptr %28, align 8
  %30 = icmp sgt i64 %15, %29
  %31 = select i1 %26, i1 true, i1 %30
  br i1 %31, label %58, label %32

32:
  %33 = getelementptr inbounds nuw ptr, ptr @lists, i64 %1
  %34 = load ptr, ptr %33, align 8
  %35 = load ptr, ptr @newest, align 8
  store ptr %34, ptr %0, align 8
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store ptr null, ptr %36, align 8
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store ptr %35, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store ptr null, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 32
  store i64 %1, ptr %39, align 8
  %40 = icmp eq ptr %34, null
  br i1 %40, label %43, label %41

41:
  %42 = getelementptr inbounds nuw i8, ptr %34, i64 8
  store ptr %0, ptr %42, align 8
  br label %43

43:
  %44 = load ptr, ptr @newest, align 8
  %45 = icmp eq ptr %44, null
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 24
  %47 = select i1 %45, ptr @oldest, ptr %46
  store ptr %0, ptr %47, align 8
  store ptr %0, ptr @newest, align 8
  store ptr %0, ptr %33, align 8
  %48 = add nsw i64 %1, -16
  %49 = and i64 %1, 7
  %50 = add nuw nsw i64 %49, 9
  %51 = lshr i64 %48, 3
  %52 = add nuw nsw i64 %51, 7
  %53 = shl i64 %50, %52
  %54 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %55 = add i64 %54, %53
  store i64 %55, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %56 = icmp sgt i64 %55, %29
  store atomic i32 0, ptr @memory_lock release, align 64
  br i1 %56, label %57, label %77

57:
  tail call fastcc void @evict(i64 %29)
  br label %77

58:
  br i1 %26, label %59, label %68

59:
  %60 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %61 = add i64 %60, %15
  %62 = icmp sgt i64 %61, %29
  br i1 %62, label %76, label %63

63:
  %64 = getelementptr inbounds ptr, ptr @lists, i64 %1
  %65 = load ptr, ptr %64, align 8
  store ptr %65, ptr %0, align 8
  store ptr %0, ptr %64, align 8
  %66 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %67 = add i64 %66, %15
  store i64 %67, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  store atomic i32 0, ptr @memory_lock release, align 64
  br label %77

68:
  store atomic i32 0, ptr @memory_lock release, align 64
  %69 = add nsw i64 %1, -16
  %70 = and i64 %1, 7
  %71 = add nuw nsw i64 %70, 9
  %72 = lshr i64 %69, 3
  %73 = add nuw nsw i64 %72, 7
  %74 = shl i64 %71, %73
  %75 = tail call i32 @munmap(ptr %0, i64 %74)
  br label %77

76:
  store atomic i32 0, ptr @memory_lock release, align 64
  tail call void @free(ptr %0)
  br label %77

77:
  ret void
}

declare void @PyObject_Free(ptr)

declare void @Py_DecRef(ptr)

define i32 @block_getbuffer(ptr %0, ptr %1, i32 %2) nounwind {
  %4 = load i64, ptr @SYSTEM, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 %4
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = tail call i32 @PyBuffer_FillInfo(ptr %1, ptr %0, ptr %6, i64 %8, i32 0, i32 %2)
  ret i32 %9
}

declare i32 @PyBuffer_FillInfo(ptr, ptr, ptr, i64, i32, i32)

define void @run_recorded(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = alloca [2 x i64], align 16
  %6 = alloca [2 x i64], align 16
  %7 = alloca [2 x i64], align 16
  %8 = alloca [2 x i64], align 16
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %10 = load i64, ptr %9, align 8
  %11 = add i64 %10, 1
  %12 = alloca i64, i64 %11, align 16
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %14 = load i64, ptr %13, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %94

16:
  %17 = icmp sgt i64 %10, 0
  %18 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 8), align 8
  %19 = trunc i64 %18 to i32
  br i1 %17, label %20, label %86

20:
  %21 = getelementptr inbounds nuw i8, ptr %7, i64 8
  br label %22

22:
  %23 = phi i64 [ 0, %20 ], [ %84, %81 ]
  %24 = phi ptr [ %2, %20 ], [ %83, %81 ]
  %25 = call i32 @clock_gettime(i32 %19, ptr %7)
  %26 = load i64, ptr %7, align 16
  %27 = mul i64 %26, 1000000000
  %28 = load i64, ptr %21, align 8
  %29 = add i64 %27, %28
  %30 = getelementptr inbounds nuw i64, ptr %12, i64 %23
  store i64 %29, ptr %30, align 8
  %31 = getelementptr inbounds nuw i8, ptr %24, i64 24
  %32 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %33 = load i64, ptr %32, align 8
  %34 = icmp sgt i64 %33, 0
  %35 = load i64, ptr %24, align 8
  br i1 %34, label %36, label %81

36:
  %37 = phi i64 [ %77, %76 ], [ %33, %22 ]
  %38 = phi i64 [ %78, %76 ], [ %35, %22 ]
  %39 = phi i64 [ %79, %76 ], [ 0, %22 ]
  %40 = icmp sgt i64 %38, 0
  br i1 %40, label %41, label %76

41:
  %42 = phi i64 [ %69, %68 ], [ %38, %36 ]
  %43 = phi i64 [ %70, %68 ], [ %38, %36 ]
  %44 = phi ptr [ %71, %68 ], [ %31, %36 ]
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 32
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds ptr, ptr %3, i64 %47
  %49 = getelementptr inbounds nuw i8, ptr %44, i64 40
  %50 = load i64, ptr %49, align 8
  %51 = mul i64 %50, %39
  %52 = getelementptr inbounds ptr, ptr %48, i64 %51
  %53 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %54 = load i64, ptr %53, align 8
  %55 = getelementptr inbounds nuw i8, ptr %44, i64 16
  %56 = load i64, ptr %55, align 8
  %57 = icmp sgt i64 %54, 0
  br i1 %57, label %58, label %68

58:
  %59 = phi i64 [ %63, %58 ], [ 0, %41 ]
  %60 = phi i64 [ %64, %58 ], [ 0, %41 ]
  %61 = sub i64 %54, %59
  %62 = call i64 @llvm.smin.i64(i64 %56, i64 %61)
  %63 = add i64 %62, %59
  call void %45(ptr %52, i64 %59, i64 %63, i64 %60)
  %64 = add i64 %60, 1
  %65 = icmp slt i64 %63, %54
  br i1 %65, label %58, label %66

66:
  %67 = load i64, ptr %24, align 8
  br label %68

68:
  %69 = phi i64 [ %67, %66 ], [ %42, %41 ]
  %70 = phi i64 [ %67, %66 ], [ %43, %41 ]
  %71 = getelementptr inbounds nuw i8, ptr %44, i64 48
  %72 = getelementptr inbounds %struct.Step, ptr %31, i64 %70
  %73 = icmp ult ptr %71, %72
  br i1 %73, label %41, label %74

74:
  %75 = load i64, ptr %32, align 8
  br label %76

76:
  %77 = phi i64 [ %75, %74 ], [ %37, %36 ]
  %78 = phi i64 [ %69, %74 ], [ %38, %36 ]
  %79 = add nuw nsw i64 %39, 1
  %80 = icmp slt i64 %79, %77
  br i1 %80, label %36, label %81

81:
  %82 = phi i64 [ %35, %22 ], [ %78, %76 ]
  %83 = getelementptr inbounds %struct.Step, ptr %31, i64 %82
  %84 = add nuw nsw i64 %23, 1
  %85 = icmp eq i64 %84, %10
  br i1 %85, label %86, label %22

86:
  %87 = call i32 @clock_gettime(i32 %19, ptr %8)
  %88 = load i64, ptr %8, align 16
  %89 = mul i64 %88, 1000000000
  %90 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %91 = load i64, ptr %90, align 8
  %92 = add i64 %89, %91
  %93 = getelementptr inbounds i64, ptr %12, i64 %10
  store i64 %92, ptr %93, align 8
  br label %126

94:
  %95 = tail call ptr @PyEval_SaveThread()
  %96 = load i64, ptr %9, align 8
  %97 = load i64, ptr %13, align 8
  %98 = icmp eq i64 %97, 2
  %99 = icmp sgt i64 %96, 0
  %100 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 8), align 8
  %101 = trunc i64 %100 to i32
  br i1 %99, label %102, label %118

102:
  %103 = getelementptr inbounds nuw i8, ptr %5, i64 8
  br label %104

104:
  %105 = phi i64 [ 0, %102 ], [ %116, %104 ]
  %106 = phi ptr [ %2, %102 ], [ %115, %104 ]
  %107 = call i32 @clock_gettime(i32 %101, ptr %5)
  %108 = load i64, ptr %5, align 16
  %109 = mul i64 %108, 1000000000
  %110 = load i64, ptr %103, align 8
  %111 = add i64 %109, %110
  %112 = getelementptr inbounds nuw i64, ptr %12, i64 %105
  store i64 %111, ptr %112, align 8
  call fastcc void @run_stage(ptr %106, ptr %3, i1 %98)
  %113 = getelementptr inbounds nuw i8, ptr %106, i64 24
  %114 = load i64, ptr %106, align 8
  %115 = getelementptr inbounds %struct.Step, ptr %113, i64 %114
  %116 = add nuw nsw i64 %105, 1
  %117 = icmp eq i64 %116, %96
  br i1 %117, label %118, label %104

118:
  %119 = call i32 @clock_gettime(i32 %101, ptr %6)
  %120 = load i64, ptr %6, align 16
  %121 = mul i64 %120, 1000000000
  %122 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %123 = load i64, ptr %122, align 8
  %124 = add i64 %121, %123
  %125 = getelementptr inbounds i64, ptr %12, i64 %96
  store i64 %124, ptr %125, align 8
  call void @PyEval_RestoreThread(ptr %95)
  br label %126

126:
  %127 = load i64, ptr %9, align 8
  %128 = load ptr, ptr @record, align 8
  %129 = icmp ne ptr %128, null
  %130 = icmp ne i64 %127, 0
  %131 = and i1 %130, %129
  br i1 %131, label %132, label %185

132:
  %133 = getelementptr inbounds nuw i8, ptr %128, i64 16
  %134 = load i64, ptr %133, align 8
  %135 = add i64 %134, %127
  %136 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %137 = load i64, ptr %136, align 8
  %138 = icmp sgt i64 %135, %137
  br i1 %138, label %139, label %146

139:
  %140 = getelementptr inbounds nuw i8, ptr %128, i64 40
  %141 = load ptr, ptr %140, align 8
  %142 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %141, ptr null)
  %143 = icmp eq ptr %142, null
  br i1 %143, label %145, label %144

144:
  call void @Py_DecRef(ptr %142)
  br label %146

145:
  call void @PyErr_Clear()
  br label %146

146:
  %147 = load i64, ptr %133, align 8
  %148 = add i64 %147, %127
  %149 = load i64, ptr %136, align 8
  %150 = icmp sgt i64 %148, %149
  br i1 %150, label %151, label %155

151:
  %152 = getelementptr inbounds nuw i8, ptr %128, i64 24
  %153 = load i64, ptr %152, align 8
  %154 = add i64 %153, %127
  store i64 %154, ptr %152, align 8
  br label %185

155:
  %156 = getelementptr inbounds nuw i8, ptr %128, i64 32
  %157 = load ptr, ptr %156, align 8
  %158 = icmp eq ptr %157, %0
  br i1 %158, label %160, label %159

159:
  call void @Py_IncRef(ptr %0)
  store ptr %0, ptr %156, align 8
  br label %160

160:
  %161 = call i64 @PyThread_get_thread_ident()
  %162 = load ptr, ptr %128, align 8
  %163 = load i64, ptr %133, align 8
  %164 = getelementptr inbounds %struct.Row, ptr %162, i64 %163
  %165 = icmp sgt i64 %127, 0
  br i1 %165, label %166, label %170

166:
  %167 = load i64, ptr %12, align 16
  br label %173

168:
  %169 = load i64, ptr %133, align 8
  br label %170

170:
  %171 = phi i64 [ %169, %168 ], [ %163, %160 ]
  %172 = add i64 %171, %127
  store i64 %172, ptr %133, align 8
  br label %185

173:
  %174 = phi i64 [ %179, %173 ], [ %167, %166 ]
  %175 = phi i64 [ %177, %173 ], [ 0, %166 ]
  %176 = getelementptr inbounds nuw %struct.Row, ptr %164, i64 %175
  %177 = add nuw nsw i64 %175, 1
  %178 = getelementptr inbounds nuw i64, ptr %12, i64 %177
  %179 = load i64, ptr %178, align 8
  store ptr %0, ptr %176, align 8
  %180 = getelementptr inbounds nuw i8, ptr %176, i64 8
  store i64 %175, ptr %180, align 8
  %181 = getelementptr inbounds nuw i8, ptr %176, i64 16
  store i64 %161, ptr %181, align 8
  %182 = getelementptr inbounds nuw i8, ptr %176, i64 24
  store i64 %174, ptr %182, align 8
  %183 = getelementptr inbounds nuw i8, ptr %176, i64 32
  store i64 %179, ptr %183, align 8
  %184 = icmp eq i64 %177, %127
  br i1 %184, label %168, label %173

185:
  ret void
}

declare ptr @PyEval_SaveThread()

declare void @PyEval_RestoreThread(ptr)

define ptr @entry(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = alloca [256 x ptr], align 64
  %5 = tail call ptr @PyTuple_GetItem(ptr %0, i64 0)
  %6 = tail call ptr @PyBytes_AsString(ptr %5)
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %2, %7
  br i1 %8, label %12, label %9

9:
  %10 = load ptr, ptr @entry_failure, align 8
  %11 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %10, ptr null)
  br label %51

12:
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %14 = load i64, ptr %13, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %18

16:
  %17 = call fastcc ptr @run_plan(ptr %0, ptr %6, ptr %1, ptr %4)
  br label %51

18:
  %19 = icmp sgt i64 %14, 140737488355327
  br i1 %19, label %20, label %26

20:
  %21 = tail call ptr @PyLong_FromSsize_t(i64 %14)
  %22 = icmp eq ptr %21, null
  br i1 %22, label %51, label %23

23:
  %24 = load ptr, ptr @block_failure, align 8
  %25 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %24, ptr %21, ptr null)
  tail call void @Py_DecRef(ptr %21)
  br label %51

26:
  %27 = tail call i64 @llvm.usub.sat.i64(i64 %14, i64 1)
  %28 = icmp ult i64 %27, 1024
  br i1 %28, label %29, label %31

29:
  %30 = lshr i64 %27, 6
  br label %38

31:
  %32 = tail call i64 @llvm.ctlz.i64(i64 %27, i1 true)
  %33 = sub nuw nsw i64 60, %32
  %34 = lshr i64 %27, %33
  %35 = shl nuw nsw i64 %32, 3
  %36 = sub nsw i64 %34, %35
  %37 = add nsw i64 %36, 432
  br label %38

38:
  %39 = phi i64 [ %30, %29 ], [ %37, %31 ]
  %40 = tail call fastcc ptr @memory_take(i64 %39)
  %41 = icmp eq ptr %40, null
  br i1 %41, label %42, label %49

42:
  %43 = load i64, ptr %13, align 8
  %44 = tail call ptr @PyLong_FromSsize_t(i64 %43)
  %45 = icmp eq ptr %44, null
  br i1 %45, label %51, label %46

46:
  %47 = load ptr, ptr @block_failure, align 8
  %48 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %47, ptr %44, ptr null)
  tail call void @Py_DecRef(ptr %44)
  br label %51

49:
  %50 = tail call fastcc ptr @run_plan(ptr %0, ptr %6, ptr %1, ptr %40)
  tail call fastcc void @memory_release(ptr %40, i64 %39)
  br label %51

51:
  %52 = phi ptr [ %11, %9 ], [ %17, %16 ], [ null, %23 ], [ %50, %49 ], [ null, %20 ], [ null, %42 ], [ null, %46 ]
  ret ptr %52
}

declare ptr @PyBytes_AsString(ptr)

declare ptr @PyTuple_GetItem(ptr, i64)

declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)

define internal fastcc ptr @run_plan(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = alloca i32, align 4
  store i32 0, ptr %5, align 4
  %6 = load i64, ptr %1, align 8
  %7 = load ptr, ptr @block_type, align 8
  %8 = load ptr, ptr @array_type, align 8
  %9 = icmp slt i64 %6, 1
  br i1 %9, label %36, label %10

10:
  %11 = load i64, ptr @SYSTEM, align 8
  br label %12

12:
  %13 = phi i64 [ 0, %10 ], [ %32, %31 ]
  %14 = getelementptr inbounds nuw ptr, ptr %2, i64 %13
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds i8, ptr %15, i64 %11
  %17 = getelementptr inbounds i8, ptr %16, i64 -8
  %18 = load ptr, ptr %17, align 8
  %19 = icmp eq ptr %18, %7
  %20 = icmp eq ptr %18, %8
  %21 = select i1 %19, i1 true, i1 %20
  %22 = getelementptr inbounds nuw ptr, ptr %3, i64 %13
  br i1 %21, label %23, label %25

23:
  %24 = load ptr, ptr %16, align 8
  store ptr %24, ptr %22, align 8
  br label %31

25:
  %26 = tail call ptr @PyLong_AsVoidPtr(ptr %15)
  store ptr %26, ptr %22, align 8
  %27 = icmp eq ptr %26, null
  br i1 %27, label %28, label %31

28:
  %29 = tail call ptr @PyErr_Occurred()
  %30 = icmp eq ptr %29, null
  br i1 %30, label %31, label %247

31:
  %32 = add nuw nsw i64 %13, 1
  %33 = icmp eq i64 %32, %6
  br i1 %33, label %34, label %12

34:
  %35 = load i64, ptr %1, align 8
  br label %36

36:
  %37 = phi i64 [ %35, %34 ], [ %6, %4 ]
  %38 = getelementptr inbounds ptr, ptr %3, i64 %37
  %39 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr inbounds ptr, ptr %3, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %43 = load i64, ptr %42, align 8
  %44 = getelementptr inbounds i64, ptr %1, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %46 = load i64, ptr %45, align 8
  switch i64 %46, label %56 [
    i64 0, label %47
    i64 1, label %48
  ]

47:
  tail call void @Py_IncRef(ptr @Py_None)
  br label %78

48:
  %49 = load i64, ptr %44, align 8
  %50 = tail call fastcc ptr @block_new(i64 %49)
  %51 = icmp eq ptr %50, null
  br i1 %51, label %247, label %52

52:
  %53 = load i64, ptr @SYSTEM, align 8
  %54 = getelementptr inbounds i8, ptr %50, i64 %53
  %55 = load ptr, ptr %54, align 8
  store ptr %55, ptr %38, align 8
  br label %78

56:
  %57 = tail call ptr @PyTuple_New(i64 %46)
  %58 = icmp eq ptr %57, null
  %59 = icmp slt i64 %46, 1
  %60 = or i1 %59, %58
  br i1 %60, label %77, label %61

61:
  %62 = load i64, ptr @SYSTEM, align 8
  br label %63

63:
  %64 = phi i64 [ 0, %61 ], [ %75, %70 ]
  %65 = getelementptr inbounds nuw i64, ptr %44, i64 %64
  %66 = load i64, ptr %65, align 8
  %67 = tail call fastcc ptr @block_new(i64 %66)
  %68 = icmp eq ptr %67, null
  br i1 %68, label %69, label %70

69:
  tail call void @Py_DecRef(ptr %57)
  br label %247

70:
  %71 = getelementptr inbounds i8, ptr %67, i64 %62
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw ptr, ptr %38, i64 %64
  store ptr %72, ptr %73, align 8
  %74 = tail call i32 @PyTuple_SetItem(ptr %57, i64 %64, ptr %67)
  %75 = add nuw nsw i64 %64, 1
  %76 = icmp eq i64 %75, %46
  br i1 %76, label %78, label %63

77:
  br i1 %58, label %247, label %78

78:
  %79 = phi ptr [ %57, %77 ], [ @Py_None, %47 ], [ %50, %52 ], [ %57, %70 ]
  %80 = load i64, ptr %45, align 8
  %81 = getelementptr inbounds ptr, ptr %38, i64 %80
  %82 = getelementptr inbounds nuw i8, ptr %1, i64 88
  %83 = load i64, ptr %82, align 8
  %84 = getelementptr inbounds i64, ptr %1, i64 %83
  %85 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %86 = load i64, ptr %85, align 8
  %87 = icmp sgt i64 %86, 0
  br i1 %87, label %88, label %101

88:
  %89 = ptrtoint ptr %3 to i64
  br label %90

90:
  %91 = phi i64 [ 0, %88 ], [ %97, %90 ]
  %92 = getelementptr inbounds nuw i64, ptr %84, i64 %91
  %93 = load i64, ptr %92, align 8
  %94 = add i64 %93, %89
  %95 = inttoptr i64 %94 to ptr
  %96 = getelementptr inbounds nuw ptr, ptr %81, i64 %91
  store ptr %95, ptr %96, align 8
  %97 = add nuw nsw i64 %91, 1
  %98 = icmp eq i64 %97, %86
  br i1 %98, label %99, label %90

99:
  %100 = load i64, ptr %85, align 8
  br label %101

101:
  %102 = phi i64 [ %100, %99 ], [ %86, %78 ]
  %103 = getelementptr inbounds ptr, ptr %81, i64 %102
  %104 = getelementptr inbounds nuw i8, ptr %1, i64 96
  %105 = load i64, ptr %104, align 8
  %106 = getelementptr inbounds i64, ptr %1, i64 %105
  %107 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %108 = load i64, ptr %107, align 8
  %109 = icmp sgt i64 %108, 0
  br i1 %109, label %110, label %120

110:
  %111 = phi i64 [ %116, %110 ], [ 0, %101 ]
  %112 = getelementptr inbounds nuw i64, ptr %106, i64 %111
  %113 = load i64, ptr %112, align 8
  %114 = inttoptr i64 %113 to ptr
  %115 = getelementptr inbounds nuw ptr, ptr %103, i64 %111
  store ptr %114, ptr %115, align 8
  %116 = add nuw nsw i64 %111, 1
  %117 = icmp eq i64 %116, %108
  br i1 %117, label %118, label %110

118:
  %119 = load i64, ptr %107, align 8
  br label %120

120:
  %121 = phi i64 [ %119, %118 ], [ %108, %101 ]
  %122 = getelementptr inbounds ptr, ptr %103, i64 %121
  store ptr %5, ptr %122, align 8
  %123 = getelementptr inbounds nuw i8, ptr %1, i64 104
  %124 = load i64, ptr %123, align 8
  %125 = getelementptr inbounds i64, ptr %1, i64 %124
  %126 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %127 = load i64, ptr %126, align 8
  %128 = icmp sgt i64 %127, 0
  br i1 %128, label %129, label %138

129:
  %130 = phi i64 [ %136, %129 ], [ 0, %120 ]
  %131 = getelementptr inbounds nuw i64, ptr %125, i64 %130
  %132 = load i64, ptr %131, align 8
  %133 = getelementptr inbounds ptr, ptr %3, i64 %132
  %134 = load ptr, ptr %133, align 8
  %135 = getelementptr inbounds nuw ptr, ptr %41, i64 %130
  store ptr %134, ptr %135, align 8
  %136 = add nuw nsw i64 %130, 1
  %137 = icmp eq i64 %136, %127
  br i1 %137, label %138, label %129

138:
  %139 = getelementptr inbounds nuw i8, ptr %1, i64 112
  %140 = load i64, ptr %139, align 8
  %141 = getelementptr inbounds i64, ptr %1, i64 %140
  %142 = load ptr, ptr @record, align 8
  %143 = icmp eq ptr %142, null
  br i1 %143, label %147, label %144

144:
  %145 = getelementptr inbounds nuw i8, ptr %142, i64 48
  %146 = load ptr, ptr %145, align 8
  call void %146(ptr %0, ptr %1, ptr %141, ptr %41)
  br label %229

147:
  %148 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %149 = load i64, ptr %148, align 8
  %150 = icmp eq i64 %149, 0
  br i1 %150, label %151, label %213

151:
  %152 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %153 = load i64, ptr %152, align 8
  %154 = icmp sgt i64 %153, 0
  br i1 %154, label %155, label %229

155:
  %156 = phi i64 [ %211, %208 ], [ 0, %151 ]
  %157 = phi ptr [ %210, %208 ], [ %141, %151 ]
  %158 = getelementptr inbounds nuw i8, ptr %157, i64 24
  %159 = getelementptr inbounds nuw i8, ptr %157, i64 8
  %160 = load i64, ptr %159, align 8
  %161 = icmp sgt i64 %160, 0
  %162 = load i64, ptr %157, align 8
  br i1 %161, label %163, label %208

163:
  %164 = phi i64 [ %204, %203 ], [ %160, %155 ]
  %165 = phi i64 [ %205, %203 ], [ %162, %155 ]
  %166 = phi i64 [ %206, %203 ], [ 0, %155 ]
  %167 = icmp sgt i64 %165, 0
  br i1 %167, label %168, label %203

168:
  %169 = phi i64 [ %196, %195 ], [ %165, %163 ]
  %170 = phi i64 [ %197, %195 ], [ %165, %163 ]
  %171 = phi ptr [ %198, %195 ], [ %158, %163 ]
  %172 = load ptr, ptr %171, align 8
  %173 = getelementptr inbounds nuw i8, ptr %171, i64 32
  %174 = load i64, ptr %173, align 8
  %175 = getelementptr inbounds ptr, ptr %41, i64 %174
  %176 = getelementptr inbounds nuw i8, ptr %171, i64 40
  %177 = load i64, ptr %176, align 8
  %178 = mul i64 %177, %166
  %179 = getelementptr inbounds ptr, ptr %175, i64 %178
  %180 = getelementptr inbounds nuw i8, ptr %171, i64 8
  %181 = load i64, ptr %180, align 8
  %182 = getelementptr inbounds nuw i8, ptr %171, i64 16
  %183 = load i64, ptr %182, align 8
  %184 = icmp sgt i64 %181, 0
  br i1 %184, label %185, label %195

185:
  %186 = phi i64 [ %190, %185 ], [ 0, %168 ]
  %187 = phi i64 [ %191, %185 ], [ 0, %168 ]
  %188 = sub i64 %181, %186
  %189 = call i64 @llvm.smin.i64(i64 %183, i64 %188)
  %190 = add i64 %189, %186
  call void %172(ptr %179, i64 %186, i64 %190, i64 %187)
  %191 = add i64 %187, 1
  %192 = icmp slt i64 %190, %181
  br i1 %192, label %185, label %193

193:
  %194 = load i64, ptr %157, align 8
  br label %195

195:
  %196 = phi i64 [ %194, %193 ], [ %169, %168 ]
  %197 = phi i64 [ %194, %193 ], [ %170, %168 ]
  %198 = getelementptr inbounds nuw i8, ptr %171, i64 48
  %199 = getelementptr inbounds %struct.Step, ptr %158, i64 %197
  %200 = icmp ult ptr %198, %199
  br i1 %200, label %168, label %201

201:
  %202 = load i64, ptr %159, align 8
  br label %203

203:
  %204 = phi i64 [ %202, %201 ], [ %164, %163 ]
  %205 = phi i64 [ %196, %201 ], [ %165, %163 ]
  %206 = add nuw nsw i64 %166, 1
  %207 = icmp slt i64 %206, %204
  br i1 %207, label %163, label %208

208:
  %209 = phi i64 [ %162, %155 ], [ %205, %203 ]
  %210 = getelementptr inbounds %struct.Step, ptr %158, i64 %209
  %211 = add nuw nsw i64 %156, 1
  %212 = icmp eq i64 %211, %153
  br i1 %212, label %229, label %155

213:
  %214 = call ptr @PyEval_SaveThread()
  %215 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %216 = load i64, ptr %215, align 8
  %217 = load i64, ptr %148, align 8
  %218 = icmp eq i64 %217, 2
  %219 = icmp sgt i64 %216, 0
  br i1 %219, label %220, label %228

220:
  %221 = phi i64 [ %226, %220 ], [ 0, %213 ]
  %222 = phi ptr [ %225, %220 ], [ %141, %213 ]
  call fastcc void @run_stage(ptr %222, ptr %41, i1 %218)
  %223 = getelementptr inbounds nuw i8, ptr %222, i64 24
  %224 = load i64, ptr %222, align 8
  %225 = getelementptr inbounds %struct.Step, ptr %223, i64 %224
  %226 = add nuw nsw i64 %221, 1
  %227 = icmp eq i64 %226, %216
  br i1 %227, label %228, label %220

228:
  call void @PyEval_RestoreThread(ptr %214)
  br label %229

229:
  %230 = load i32, ptr %5, align 4
  %231 = icmp eq i32 %230, 0
  br i1 %231, label %247, label %232

232:
  call void @Py_DecRef(ptr %79)
  %233 = load i32, ptr %5, align 4
  %234 = icmp eq i32 %233, -1
  br i1 %234, label %247, label %235

235:
  %236 = sext i32 %233 to i64
  %237 = call ptr @PyLong_FromSsize_t(i64 %236)
  %238 = icmp eq ptr %237, null
  br i1 %238, label %247, label %239

239:
  %240 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %241 = load ptr, ptr %240, align 8
  %242 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %241, ptr %237, ptr null)
  call void @Py_DecRef(ptr %237)
  %243 = icmp eq ptr %242, null
  br i1 %243, label %247, label %244

244:
  call void @Py_DecRef(ptr %242)
  %245 = load ptr, ptr @entry_failure, align 8
  %246 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %245, ptr null)
  br label %247

247:
  %248 = phi ptr [ null, %232 ], [ null, %77 ], [ %79, %229 ], [ null, %244 ], [ null, %48 ], [ null, %235 ], [ null, %239 ], [ null, %69 ], [ null, %28 ]
  ret ptr %248
}

define internal fastcc ptr @memory_take(i64 %0) nounwind {
  %2 = icmp samesign ult i64 %0, 16
  br i1 %2, label %3, label %6

3:
  %4 = shl nuw nsw i64 %0, 6
  %5 = add nuw nsw i64 %4, 64
  br label %13

6:
  %7 = add nsw i64 %0, -16
  %8 = and i64 %0, 7
  %9 = add nuw nsw i64 %8, 9
  %10 = lshr i64 %7, 3
  %11 = add nuw nsw i64 %10, 7
  %12 = shl i64 %9, %11
  br label %13

13:
  %14 = phi i64 [ %5, %3 ], [ %12, %6 ]
  %15 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %20, label %17

17:
  tail call void @relax()
  %18 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %20, label %17

20:
  %21 = getelementptr inbounds nuw ptr, ptr @lists, i64 %0
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %93, label %24

24:
  %25 = icmp samesign ugt i64 %0, 79
  %26 = load ptr, ptr %22, align 8
  br i1 %25, label %27, label %71

27:
  %28 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %31, label %35

31:
  %32 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr inbounds ptr, ptr @lists, i64 %33
  br label %35

35:
  %36 = phi ptr [ %34, %31 ], [ %29, %27 ]
  store ptr %26, ptr %36, align 8
  %37 = load ptr, ptr %22, align 8
  %38 = icmp eq ptr %37, null
  br i1 %38, label %42, label %39

39:
  %40 = load ptr, ptr %28, align 8
  %41 = getelementptr inbounds nuw i8, ptr %37, i64 8
  store ptr %40, ptr %41, align 8
  br label %42

42:
  %43 = getelementptr inbounds nuw i8, ptr %22, i64 24
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds nuw i8, ptr %22, i64 16
  %46 = load ptr, ptr %45, align 8
  %47 = icmp eq ptr %46, null
  %48 = getelementptr inbounds nuw i8, ptr %46, i64 24
  %49 = select i1 %47, ptr @oldest, ptr %48
  store ptr %44, ptr %49, align 8
  %50 = load ptr, ptr %45, align 8
  %51 = icmp eq ptr %44, null
  %52 = getelementptr inbounds nuw i8, ptr %44, i64 16
  %53 = select i1 %51, ptr @newest, ptr %52
  store ptr %50, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %55 = load i64, ptr %54, align 8
  %56 = icmp slt i64 %55, 16
  br i1 %56, label %57, label %60

57:
  %58 = shl i64 %55, 6
  %59 = add i64 %58, 64
  br label %67

60:
  %61 = add nsw i64 %55, -16
  %62 = and i64 %55, 7
  %63 = add nuw nsw i64 %62, 9
  %64 = lshr i64 %61, 3
  %65 = add nuw nsw i64 %64, 7
  %66 = shl i64 %63, %65
  br label %67

67:
  %68 = phi i64 [ %59, %57 ], [ %66, %60 ]
  %69 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %70 = sub i64 %69, %68
  store i64 %70, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  br label %86

71:
  store ptr %26, ptr %21, align 8
  br i1 %2, label %72, label %75

72:
  %73 = shl nuw nsw i64 %0, 6
  %74 = add nuw nsw i64 %73, 64
  br label %82

75:
  %76 = add nsw i64 %0, -16
  %77 = and i64 %0, 7
  %78 = add nuw nsw i64 %77, 9
  %79 = lshr i64 %76, 3
  %80 = add nuw nsw i64 %79, 7
  %81 = shl nuw nsw i64 %78, %80
  br label %82

82:
  %83 = phi i64 [ %74, %72 ], [ %81, %75 ]
  %84 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %85 = sub i64 %84, %83
  store i64 %85, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  br label %86

86:
  %87 = load i64, ptr @memory_state, align 64
  %88 = add i64 %87, %14
  store i64 %88, ptr @memory_state, align 64
  %89 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %90 = tail call i64 @llvm.smax.i64(i64 %89, i64 %88)
  store i64 %90, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %91 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %92 = add i64 %91, 1
  store i64 %92, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  br label %145

93:
  store atomic i32 0, ptr @memory_lock release, align 64
  %94 = tail call fastcc ptr @system_take(i64 %0)
  %95 = icmp eq ptr %94, null
  br i1 %95, label %96, label %129

96:
  tail call fastcc void @evict(i64 0)
  br label %97

97:
  %98 = phi i64 [ 0, %96 ], [ %124, %123 ]
  %99 = getelementptr inbounds nuw ptr, ptr @lists, i64 %98
  %100 = icmp samesign ult i64 %98, 16
  %101 = add nsw i64 %98, -16
  %102 = and i64 %98, 7
  %103 = add nuw nsw i64 %102, 9
  %104 = lshr i64 %101, 3
  %105 = add nuw nsw i64 %104, 7
  %106 = shl i64 %103, %105
  %107 = shl i64 %98, 6
  %108 = add nuw nsw i64 %107, 64
  %109 = select i1 %100, i64 %108, i64 %106
  br label %110

110:
  %111 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %112 = icmp eq i32 %111, 0
  br i1 %112, label %116, label %113

113:
  tail call void @relax()
  %114 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %115 = icmp eq i32 %114, 0
  br i1 %115, label %116, label %113

116:
  %117 = load ptr, ptr %99, align 8
  %118 = icmp eq ptr %117, null
  br i1 %118, label %123, label %119

119:
  %120 = load ptr, ptr %117, align 8
  store ptr %120, ptr %99, align 8
  %121 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %122 = sub i64 %121, %109
  store i64 %122, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  store atomic i32 0, ptr @memory_lock release, align 64
  tail call void @free(ptr %117)
  br label %110

123:
  store atomic i32 0, ptr @memory_lock release, align 64
  %124 = add nuw nsw i64 %98, 1
  %125 = icmp eq i64 %124, 80
  br i1 %125, label %126, label %97

126:
  %127 = tail call fastcc ptr @system_take(i64 %0)
  %128 = icmp eq ptr %127, null
  br i1 %128, label %147, label %129

129:
  %130 = phi ptr [ %127, %126 ], [ %94, %93 ]
  %131 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %132 = icmp eq i32 %131, 0
  br i1 %132, label %136, label %133

133:
  tail call void @relax()
  %134 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %135 = icmp eq i32 %134, 0
  br i1 %135, label %136, label %133

136:
  %137 = load i64, ptr @memory_state, align 64
  %138 = add i64 %137, %14
  store i64 %138, ptr @memory_state, align 64
  %139 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %140 = tail call i64 @llvm.smax.i64(i64 %139, i64 %138)
  store i64 %140, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %141 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %142 = add i64 %141, 1
  store i64 %142, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %143 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 56), align 8
  %144 = add i64 %143, 1
  store i64 %144, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 56), align 8
  br label %145

145:
  %146 = phi ptr [ %130, %136 ], [ %22, %86 ]
  store atomic i32 0, ptr @memory_lock release, align 64
  br label %147

147:
  %148 = phi ptr [ null, %126 ], [ %146, %145 ]
  ret ptr %148
}

define void @copy_bytes(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds i8, ptr %6, i64 %1
  %8 = load ptr, ptr %0, align 8
  %9 = getelementptr inbounds i8, ptr %8, i64 %1
  %10 = sub i64 %2, %1
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %7, ptr align 1 %9, i64 %10, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @loop(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 24
  tail call fastcc void @run_loop(ptr %5, ptr %7, ptr %9, ptr %10)
  ret void
}

define internal fastcc void @run_loop(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = alloca [2 x i64], align 16
  %6 = alloca [2 x ptr], align 16
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %8 = load i64, ptr %7, align 8
  %9 = getelementptr inbounds ptr, ptr %1, i64 %8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds ptr, ptr %1, i64 %11
  %13 = shl i64 %11, 3
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %1, ptr align 8 %3, i64 %13, i1 false)
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds i64, ptr %0, i64 %15
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %33

20:
  %21 = ptrtoint ptr %1 to i64
  br label %22

22:
  %23 = phi i64 [ 0, %20 ], [ %29, %22 ]
  %24 = getelementptr inbounds nuw i64, ptr %16, i64 %23
  %25 = load i64, ptr %24, align 8
  %26 = add i64 %25, %21
  %27 = inttoptr i64 %26 to ptr
  %28 = getelementptr inbounds nuw ptr, ptr %12, i64 %23
  store ptr %27, ptr %28, align 8
  %29 = add nuw nsw i64 %23, 1
  %30 = icmp eq i64 %29, %18
  br i1 %30, label %31, label %22

31:
  %32 = load i64, ptr %17, align 8
  br label %33

33:
  %34 = phi i64 [ %32, %31 ], [ %18, %4 ]
  %35 = getelementptr inbounds ptr, ptr %12, i64 %34
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %37 = load i64, ptr %36, align 8
  %38 = getelementptr inbounds i64, ptr %0, i64 %37
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %40, 0
  br i1 %41, label %42, label %52

42:
  %43 = phi i64 [ %48, %42 ], [ 0, %33 ]
  %44 = getelementptr inbounds nuw i64, ptr %38, i64 %43
  %45 = load i64, ptr %44, align 8
  %46 = inttoptr i64 %45 to ptr
  %47 = getelementptr inbounds nuw ptr, ptr %35, i64 %43
  store ptr %46, ptr %47, align 8
  %48 = add nuw nsw i64 %43, 1
  %49 = icmp eq i64 %48, %40
  br i1 %49, label %50, label %42

50:
  %51 = load i64, ptr %39, align 8
  br label %52

52:
  %53 = phi i64 [ %51, %50 ], [ %40, %33 ]
  %54 = getelementptr inbounds ptr, ptr %35, i64 %53
  store ptr %2, ptr %54, align 8
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %56 = load i64, ptr %55, align 8
  %57 = getelementptr inbounds i64, ptr %0, i64 %56
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %59 = load i64, ptr %58, align 8
  %60 = icmp sgt i64 %59, 0
  br i1 %60, label %61, label %89

61:
  %62 = phi ptr [ %85, %84 ], [ %57, %52 ]
  %63 = load i64, ptr %62, align 8
  %64 = getelementptr inbounds ptr, ptr %1, i64 %63
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds nuw i8, ptr %62, i64 8
  %67 = load i64, ptr %66, align 8
  %68 = getelementptr inbounds ptr, ptr %1, i64 %67
  %69 = load ptr, ptr %68, align 8
  %70 = getelementptr inbounds nuw i8, ptr %62, i64 32
  %71 = load i64, ptr %70, align 8
  switch i64 %71, label %84 [
    i64 0, label %72
    i64 2, label %77
  ]

72:
  store ptr %69, ptr %64, align 8
  %73 = icmp eq ptr %65, %69
  br i1 %73, label %84, label %74

74:
  %75 = getelementptr inbounds nuw i8, ptr %62, i64 24
  %76 = load i64, ptr %75, align 8
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %69, ptr align 1 %65, i64 %76, i1 false)
  br label %84

77:
  %78 = getelementptr inbounds nuw i8, ptr %62, i64 16
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds ptr, ptr %1, i64 %79
  %81 = load ptr, ptr %80, align 8
  store ptr %81, ptr %68, align 8
  %82 = load i64, ptr %78, align 8
  %83 = getelementptr inbounds ptr, ptr %1, i64 %82
  store ptr %69, ptr %83, align 8
  br label %84

84:
  %85 = getelementptr inbounds nuw i8, ptr %62, i64 40
  %86 = load i64, ptr %58, align 8
  %87 = getelementptr inbounds %struct.Carry, ptr %57, i64 %86
  %88 = icmp ult ptr %85, %87
  br i1 %88, label %61, label %89

89:
  %90 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %91 = load i64, ptr %90, align 8
  %92 = getelementptr inbounds i64, ptr %0, i64 %91
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %94 = load i64, ptr %93, align 8
  %95 = icmp sgt i64 %94, 0
  br i1 %95, label %116, label %96

96:
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %98 = load i64, ptr %97, align 8
  %99 = getelementptr inbounds i64, ptr %0, i64 %98
  %100 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %101 = load i64, ptr %100, align 8
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %112

103:
  %104 = phi i64 [ %110, %103 ], [ 0, %96 ]
  %105 = getelementptr inbounds nuw i64, ptr %99, i64 %104
  %106 = load i64, ptr %105, align 8
  %107 = getelementptr inbounds ptr, ptr %1, i64 %106
  %108 = load ptr, ptr %107, align 8
  %109 = getelementptr inbounds nuw ptr, ptr %9, i64 %104
  store ptr %108, ptr %109, align 8
  %110 = add nuw nsw i64 %104, 1
  %111 = icmp eq i64 %110, %101
  br i1 %111, label %112, label %103

112:
  %113 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %114 = load i64, ptr %113, align 8
  %115 = icmp eq i64 %114, 0
  br i1 %115, label %128, label %131

116:
  %117 = phi ptr [ %124, %116 ], [ %92, %89 ]
  %118 = getelementptr inbounds nuw i8, ptr %117, i64 8
  %119 = load i64, ptr %118, align 8
  %120 = load i64, ptr %117, align 8
  %121 = getelementptr inbounds ptr, ptr %1, i64 %120
  %122 = load ptr, ptr %121, align 8
  %123 = getelementptr inbounds i8, ptr %122, i64 %119
  store ptr %123, ptr %121, align 8
  %124 = getelementptr inbounds nuw i8, ptr %117, i64 24
  %125 = load i64, ptr %93, align 8
  %126 = getelementptr inbounds %struct.Sequence, ptr %92, i64 %125
  %127 = icmp ult ptr %124, %126
  br i1 %127, label %116, label %96

128:
  %129 = load i64, ptr %93, align 8
  %130 = icmp ne i64 %129, 0
  br label %131

131:
  %132 = phi i1 [ true, %112 ], [ %130, %128 ]
  %133 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %134 = load i64, ptr %133, align 8
  %135 = getelementptr inbounds ptr, ptr %1, i64 %134
  %136 = load ptr, ptr %135, align 8
  store ptr %136, ptr %6, align 16
  %137 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store ptr null, ptr %137, align 8
  %138 = load i64, ptr %0, align 8
  %139 = icmp eq i64 %138, 0
  br i1 %139, label %465, label %140

140:
  %141 = icmp slt i64 %138, 0
  %142 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %143 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %144 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %145 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %146 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %147 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %148 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %149 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %150 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %151 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %152 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %153 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %154 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %155 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %156 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %157 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 8), align 8
  %158 = trunc i64 %157 to i32
  %159 = getelementptr inbounds nuw i8, ptr %5, i64 8
  br label %160

160:
  %161 = phi i1 [ %141, %140 ], [ %431, %425 ]
  %162 = phi ptr [ %9, %140 ], [ %276, %425 ]
  %163 = phi i64 [ 0, %140 ], [ %267, %425 ]
  %164 = phi i64 [ 64, %140 ], [ %429, %425 ]
  %165 = phi i64 [ 64, %140 ], [ %428, %425 ]
  %166 = phi i64 [ 0, %140 ], [ %427, %425 ]
  %167 = phi i64 [ 0, %140 ], [ %426, %425 ]
  %168 = load i64, ptr %145, align 8
  br i1 %161, label %169, label %211

169:
  %170 = load i64, ptr %142, align 8
  %171 = load i64, ptr %144, align 8
  %172 = icmp ne i64 %168, 0
  %173 = icmp slt i64 %170, 0
  %174 = icmp sgt i64 %171, 0
  %175 = and i1 %173, %174
  br i1 %175, label %176, label %187

176:
  %177 = load i64, ptr %143, align 8
  %178 = getelementptr inbounds i64, ptr %0, i64 %177
  br label %179

179:
  %180 = phi i64 [ %185, %179 ], [ 0, %176 ]
  %181 = phi ptr [ %184, %179 ], [ %178, %176 ]
  call fastcc void @run_stage(ptr %181, ptr %162, i1 %172)
  %182 = getelementptr inbounds nuw i8, ptr %181, i64 24
  %183 = load i64, ptr %181, align 8
  %184 = getelementptr inbounds %struct.Step, ptr %182, i64 %183
  %185 = add nuw nsw i64 %180, 1
  %186 = icmp eq i64 %185, %171
  br i1 %186, label %203, label %179

187:
  %188 = load i64, ptr %146, align 8
  %189 = getelementptr inbounds i64, ptr %0, i64 %188
  %190 = mul nsw i64 %170, 24
  %191 = getelementptr inbounds i8, ptr %189, i64 %190
  %192 = icmp sgt i64 %170, 0
  br i1 %192, label %193, label %203

193:
  %194 = phi ptr [ %201, %193 ], [ %189, %187 ]
  %195 = load ptr, ptr %194, align 8
  %196 = getelementptr inbounds nuw i8, ptr %194, i64 16
  %197 = load i64, ptr %196, align 8
  %198 = getelementptr inbounds ptr, ptr %162, i64 %197
  %199 = getelementptr inbounds nuw i8, ptr %194, i64 8
  %200 = load i64, ptr %199, align 8
  call void %195(ptr %198, i64 0, i64 %200, i64 0)
  %201 = getelementptr inbounds nuw i8, ptr %194, i64 24
  %202 = icmp ult ptr %201, %191
  br i1 %202, label %193, label %203

203:
  %204 = and i64 %163, 1
  %205 = getelementptr inbounds nuw ptr, ptr %6, i64 %204
  %206 = load ptr, ptr %205, align 8
  %207 = load i8, ptr %206, align 1
  %208 = icmp eq i8 %207, 0
  br i1 %208, label %434, label %209

209:
  %210 = load i64, ptr %145, align 8
  br label %211

211:
  %212 = phi i64 [ %210, %209 ], [ %168, %160 ]
  %213 = icmp eq i64 %163, 0
  br i1 %213, label %214, label %231

214:
  %215 = load i64, ptr %148, align 8
  %216 = icmp ne i64 %212, 0
  %217 = icmp sgt i64 %215, 0
  br i1 %217, label %218, label %231

218:
  %219 = load i64, ptr %147, align 8
  %220 = getelementptr inbounds i64, ptr %0, i64 %219
  br label %221

221:
  %222 = phi i64 [ %227, %221 ], [ 0, %218 ]
  %223 = phi ptr [ %226, %221 ], [ %220, %218 ]
  call fastcc void @run_stage(ptr %223, ptr %162, i1 %216)
  %224 = getelementptr inbounds nuw i8, ptr %223, i64 24
  %225 = load i64, ptr %223, align 8
  %226 = getelementptr inbounds %struct.Step, ptr %224, i64 %225
  %227 = add nuw nsw i64 %222, 1
  %228 = icmp eq i64 %227, %215
  br i1 %228, label %229, label %221

229:
  %230 = load i64, ptr %145, align 8
  br label %231

231:
  %232 = phi i64 [ %230, %229 ], [ %212, %214 ], [ %212, %211 ]
  %233 = load i64, ptr %149, align 8
  %234 = load i64, ptr %151, align 8
  %235 = icmp ne i64 %232, 0
  %236 = icmp slt i64 %233, 0
  %237 = icmp sgt i64 %234, 0
  %238 = and i1 %236, %237
  br i1 %238, label %239, label %250

239:
  %240 = load i64, ptr %150, align 8
  %241 = getelementptr inbounds i64, ptr %0, i64 %240
  br label %242

242:
  %243 = phi i64 [ %248, %242 ], [ 0, %239 ]
  %244 = phi ptr [ %247, %242 ], [ %241, %239 ]
  call fastcc void @run_stage(ptr %244, ptr %162, i1 %235)
  %245 = getelementptr inbounds nuw i8, ptr %244, i64 24
  %246 = load i64, ptr %244, align 8
  %247 = getelementptr inbounds %struct.Step, ptr %245, i64 %246
  %248 = add nuw nsw i64 %243, 1
  %249 = icmp eq i64 %248, %234
  br i1 %249, label %266, label %242

250:
  %251 = load i64, ptr %152, align 8
  %252 = getelementptr inbounds i64, ptr %0, i64 %251
  %253 = mul nsw i64 %233, 24
  %254 = getelementptr inbounds i8, ptr %252, i64 %253
  %255 = icmp sgt i64 %233, 0
  br i1 %255, label %256, label %266

256:
  %257 = phi ptr [ %264, %256 ], [ %252, %250 ]
  %258 = load ptr, ptr %257, align 8
  %259 = getelementptr inbounds nuw i8, ptr %257, i64 16
  %260 = load i64, ptr %259, align 8
  %261 = getelementptr inbounds ptr, ptr %162, i64 %260
  %262 = getelementptr inbounds nuw i8, ptr %257, i64 8
  %263 = load i64, ptr %262, align 8
  call void %258(ptr %261, i64 0, i64 %263, i64 0)
  %264 = getelementptr inbounds nuw i8, ptr %257, i64 24
  %265 = icmp ult ptr %264, %254
  br i1 %265, label %256, label %266

266:
  %267 = add i64 %163, 1
  %268 = load i64, ptr %113, align 8
  %269 = icmp eq i64 %268, 0
  br i1 %269, label %275, label %270

270:
  %271 = load i64, ptr %100, align 8
  %272 = trunc i64 %267 to i1
  %273 = select i1 %272, i64 %271, i64 0
  %274 = getelementptr inbounds ptr, ptr %9, i64 %273
  br label %275

275:
  %276 = phi ptr [ %274, %270 ], [ %162, %266 ]
  br i1 %132, label %277, label %379

277:
  %278 = load i64, ptr %153, align 8
  %279 = getelementptr inbounds i64, ptr %0, i64 %278
  %280 = icmp ne i64 %268, 0
  %281 = icmp slt i64 %267, 3
  %282 = and i1 %281, %280
  br i1 %282, label %283, label %328

283:
  %284 = load i64, ptr %55, align 8
  %285 = getelementptr inbounds i64, ptr %0, i64 %284
  %286 = mul nsw i64 %268, 40
  %287 = getelementptr inbounds i8, ptr %285, i64 %286
  %288 = icmp sgt i64 %268, 0
  br i1 %288, label %289, label %307

289:
  %290 = phi ptr [ %305, %289 ], [ %285, %283 ]
  %291 = getelementptr inbounds nuw i8, ptr %290, i64 8
  %292 = load i64, ptr %291, align 8
  %293 = getelementptr inbounds ptr, ptr %1, i64 %292
  %294 = load ptr, ptr %293, align 8
  %295 = load i64, ptr %290, align 8
  %296 = getelementptr inbounds ptr, ptr %1, i64 %295
  store ptr %294, ptr %296, align 8
  %297 = getelementptr inbounds nuw i8, ptr %290, i64 16
  %298 = load i64, ptr %297, align 8
  %299 = getelementptr inbounds ptr, ptr %1, i64 %298
  %300 = load ptr, ptr %299, align 8
  %301 = load i64, ptr %291, align 8
  %302 = getelementptr inbounds ptr, ptr %1, i64 %301
  store ptr %300, ptr %302, align 8
  %303 = load i64, ptr %297, align 8
  %304 = getelementptr inbounds ptr, ptr %1, i64 %303
  store ptr %294, ptr %304, align 8
  %305 = getelementptr inbounds nuw i8, ptr %290, i64 40
  %306 = icmp ult ptr %305, %287
  br i1 %306, label %289, label %307

307:
  br i1 %213, label %308, label %311

308:
  %309 = load i64, ptr %100, align 8
  %310 = shl i64 %309, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %276, ptr align 8 %9, i64 %310, i1 false)
  br label %311

311:
  %312 = load i64, ptr %154, align 8
  %313 = getelementptr inbounds %struct.Changing, ptr %279, i64 %312
  %314 = load i64, ptr %155, align 8
  %315 = shl nsw i64 %314, 4
  %316 = getelementptr inbounds i8, ptr %313, i64 %315
  %317 = icmp sgt i64 %314, 0
  br i1 %317, label %318, label %328

318:
  %319 = phi ptr [ %326, %318 ], [ %313, %311 ]
  %320 = getelementptr inbounds nuw i8, ptr %319, i64 8
  %321 = load i64, ptr %320, align 8
  %322 = getelementptr inbounds ptr, ptr %1, i64 %321
  %323 = load ptr, ptr %322, align 8
  %324 = load i64, ptr %319, align 8
  %325 = getelementptr inbounds ptr, ptr %276, i64 %324
  store ptr %323, ptr %325, align 8
  %326 = getelementptr inbounds nuw i8, ptr %319, i64 16
  %327 = icmp ult ptr %326, %316
  br i1 %327, label %318, label %328

328:
  %329 = load i64, ptr %55, align 8
  %330 = getelementptr inbounds i64, ptr %0, i64 %329
  %331 = load i64, ptr %156, align 8
  %332 = getelementptr inbounds %struct.Carry, ptr %330, i64 %331
  %333 = load i64, ptr %113, align 8
  %334 = icmp slt i64 %333, %331
  br i1 %334, label %335, label %347

335:
  %336 = getelementptr inbounds %struct.Carry, ptr %330, i64 %333
  br label %337

337:
  %338 = phi ptr [ %345, %337 ], [ %336, %335 ]
  %339 = getelementptr inbounds nuw i8, ptr %338, i64 16
  %340 = load i64, ptr %339, align 8
  %341 = getelementptr inbounds ptr, ptr %1, i64 %340
  %342 = load ptr, ptr %341, align 8
  %343 = load i64, ptr %338, align 8
  %344 = getelementptr inbounds ptr, ptr %1, i64 %343
  store ptr %342, ptr %344, align 8
  %345 = getelementptr inbounds nuw i8, ptr %338, i64 40
  %346 = icmp ult ptr %345, %332
  br i1 %346, label %337, label %347

347:
  %348 = load i64, ptr %90, align 8
  %349 = getelementptr inbounds i64, ptr %0, i64 %348
  %350 = load i64, ptr %93, align 8
  %351 = mul nsw i64 %350, 24
  %352 = getelementptr inbounds i8, ptr %349, i64 %351
  %353 = icmp sgt i64 %350, 0
  br i1 %353, label %369, label %354

354:
  %355 = load i64, ptr %154, align 8
  %356 = shl nsw i64 %355, 4
  %357 = getelementptr inbounds i8, ptr %279, i64 %356
  %358 = icmp sgt i64 %355, 0
  br i1 %358, label %359, label %379

359:
  %360 = phi ptr [ %367, %359 ], [ %279, %354 ]
  %361 = getelementptr inbounds nuw i8, ptr %360, i64 8
  %362 = load i64, ptr %361, align 8
  %363 = getelementptr inbounds ptr, ptr %1, i64 %362
  %364 = load ptr, ptr %363, align 8
  %365 = load i64, ptr %360, align 8
  %366 = getelementptr inbounds ptr, ptr %276, i64 %365
  store ptr %364, ptr %366, align 8
  %367 = getelementptr inbounds nuw i8, ptr %360, i64 16
  %368 = icmp ult ptr %367, %357
  br i1 %368, label %359, label %379

369:
  %370 = phi ptr [ %377, %369 ], [ %349, %347 ]
  %371 = getelementptr inbounds nuw i8, ptr %370, i64 16
  %372 = load i64, ptr %371, align 8
  %373 = load i64, ptr %370, align 8
  %374 = getelementptr inbounds ptr, ptr %1, i64 %373
  %375 = load ptr, ptr %374, align 8
  %376 = getelementptr inbounds i8, ptr %375, i64 %372
  store ptr %376, ptr %374, align 8
  %377 = getelementptr inbounds nuw i8, ptr %370, i64 24
  %378 = icmp ult ptr %377, %352
  br i1 %378, label %369, label %354

379:
  %380 = icmp slt i64 %267, 3
  br i1 %380, label %381, label %387

381:
  %382 = load i64, ptr %133, align 8
  %383 = getelementptr inbounds ptr, ptr %1, i64 %382
  %384 = load ptr, ptr %383, align 8
  %385 = and i64 %267, 1
  %386 = getelementptr inbounds nuw ptr, ptr %6, i64 %385
  store ptr %384, ptr %386, align 8
  br label %387

387:
  %388 = load atomic i32, ptr %2 monotonic, align 4
  %389 = icmp eq i32 %388, 0
  br i1 %389, label %390, label %434

390:
  %391 = add i64 %164, -1
  %392 = icmp slt i64 %391, 1
  br i1 %392, label %393, label %425

393:
  %394 = call i32 @clock_gettime(i32 %158, ptr %5)
  %395 = load i64, ptr %5, align 16
  %396 = mul i64 %395, 1000000000
  %397 = load i64, ptr %159, align 8
  %398 = add i64 %396, %397
  %399 = sub i64 %398, %166
  %400 = icmp eq i64 %166, 0
  %401 = select i1 %400, i64 %398, i64 %167
  %402 = icmp ult i64 %399, 1000000
  br i1 %402, label %403, label %406

403:
  %404 = shl i64 %165, 1
  %405 = call i64 @llvm.smin.i64(i64 %404, i64 65536)
  br label %411

406:
  %407 = icmp ugt i64 %399, 20000000
  br i1 %407, label %408, label %411

408:
  %409 = sdiv i64 %165, 8
  %410 = call i64 @llvm.smax.i64(i64 %409, i64 1)
  br label %411

411:
  %412 = phi i64 [ %405, %403 ], [ %410, %408 ], [ %165, %406 ]
  %413 = sub i64 %398, %401
  %414 = icmp slt i64 %413, 100000001
  br i1 %414, label %418, label %415

415:
  %416 = call ptr @PyGILState_GetThisThreadState()
  %417 = icmp eq ptr %416, null
  br i1 %417, label %418, label %420

418:
  %419 = phi i64 [ %398, %415 ], [ %401, %411 ]
  br label %425

420:
  %421 = call i32 @PyGILState_Ensure()
  %422 = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 %421)
  %423 = icmp eq i32 %422, 0
  br i1 %423, label %425, label %424

424:
  store atomic i32 -1, ptr %2 monotonic, align 4
  br label %434

425:
  %426 = phi i64 [ %398, %420 ], [ %167, %390 ], [ %419, %418 ]
  %427 = phi i64 [ %398, %420 ], [ %166, %390 ], [ %398, %418 ]
  %428 = phi i64 [ %412, %420 ], [ %165, %390 ], [ %412, %418 ]
  %429 = phi i64 [ %412, %420 ], [ %391, %390 ], [ %412, %418 ]
  %430 = load i64, ptr %0, align 8
  %431 = icmp slt i64 %430, 0
  %432 = icmp slt i64 %267, %430
  %433 = select i1 %431, i1 true, i1 %432
  br i1 %433, label %160, label %434

434:
  %435 = phi i64 [ %267, %424 ], [ %163, %203 ], [ %267, %425 ], [ %267, %387 ]
  %436 = icmp slt i64 %435, 3
  %437 = and i64 %435, 1
  %438 = icmp eq i64 %437, 0
  %439 = or i1 %436, %438
  %440 = load i64, ptr %55, align 8
  br i1 %439, label %467, label %441

441:
  %442 = getelementptr inbounds i64, ptr %0, i64 %440
  %443 = load i64, ptr %113, align 8
  %444 = mul nsw i64 %443, 40
  %445 = getelementptr inbounds i8, ptr %442, i64 %444
  %446 = icmp sgt i64 %443, 0
  br i1 %446, label %447, label %467

447:
  %448 = phi ptr [ %463, %447 ], [ %442, %441 ]
  %449 = getelementptr inbounds nuw i8, ptr %448, i64 8
  %450 = load i64, ptr %449, align 8
  %451 = getelementptr inbounds ptr, ptr %1, i64 %450
  %452 = load ptr, ptr %451, align 8
  %453 = load i64, ptr %448, align 8
  %454 = getelementptr inbounds ptr, ptr %1, i64 %453
  store ptr %452, ptr %454, align 8
  %455 = getelementptr inbounds nuw i8, ptr %448, i64 16
  %456 = load i64, ptr %455, align 8
  %457 = getelementptr inbounds ptr, ptr %1, i64 %456
  %458 = load ptr, ptr %457, align 8
  %459 = load i64, ptr %449, align 8
  %460 = getelementptr inbounds ptr, ptr %1, i64 %459
  store ptr %458, ptr %460, align 8
  %461 = load i64, ptr %455, align 8
  %462 = getelementptr inbounds ptr, ptr %1, i64 %461
  store ptr %452, ptr %462, align 8
  %463 = getelementptr inbounds nuw i8, ptr %448, i64 40
  %464 = icmp ult ptr %463, %445
  br i1 %464, label %447, label %465

465:
  %466 = load i64, ptr %55, align 8
  br label %467

467:
  %468 = phi i64 [ %440, %434 ], [ %440, %441 ], [ %466, %465 ]
  %469 = getelementptr inbounds i64, ptr %0, i64 %468
  %470 = load i64, ptr %58, align 8
  %471 = icmp sgt i64 %470, 0
  br i1 %471, label %472, label %492

472:
  %473 = phi i64 [ %488, %487 ], [ %470, %467 ]
  %474 = phi ptr [ %489, %487 ], [ %469, %467 ]
  %475 = load i64, ptr %474, align 8
  %476 = getelementptr inbounds ptr, ptr %1, i64 %475
  %477 = load ptr, ptr %476, align 8
  %478 = getelementptr inbounds nuw i8, ptr %474, i64 8
  %479 = load i64, ptr %478, align 8
  %480 = getelementptr inbounds ptr, ptr %3, i64 %479
  %481 = load ptr, ptr %480, align 8
  %482 = icmp eq ptr %477, %481
  br i1 %482, label %487, label %483

483:
  %484 = getelementptr inbounds nuw i8, ptr %474, i64 24
  %485 = load i64, ptr %484, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %481, ptr align 1 %477, i64 %485, i1 false)
  %486 = load i64, ptr %58, align 8
  br label %487

487:
  %488 = phi i64 [ %473, %472 ], [ %486, %483 ]
  %489 = getelementptr inbounds nuw i8, ptr %474, i64 40
  %490 = getelementptr inbounds %struct.Carry, ptr %469, i64 %488
  %491 = icmp ult ptr %489, %490
  br i1 %491, label %472, label %492

492:
  ret void
}

define void @branch(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %7 = load ptr, ptr %6, align 8
  %8 = load i32, ptr %7, align 1
  %9 = tail call i32 @llvm.smax.i32(i32 %8, i32 0)
  %10 = zext nneg i32 %9 to i64
  %11 = load i64, ptr %5, align 8
  %12 = add i64 %11, -1
  %13 = tail call i64 @llvm.smin.i64(i64 %10, i64 %12)
  %14 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %15 = shl i64 %13, 32
  %16 = ashr exact i64 %15, 29
  %17 = getelementptr inbounds i8, ptr %14, i64 %16
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 32
  tail call fastcc void @run_loop(ptr %18, ptr %20, ptr %22, ptr %23)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare i64 @syscall(i64, ...)

declare i32 @sigfillset(ptr)

declare i32 @pthread_sigmask(i32, ptr, ptr)

declare i32 @pthread_create(ptr, ptr, ptr, ptr)

define internal ptr @pool_thread(ptr %0) nounwind {
  %2 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %3 = ptrtoint ptr %0 to i64
  %4 = icmp eq i64 %2, %3
  br i1 %4, label %5, label %41

5:
  %6 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 48), align 8
  %7 = tail call i64 (i64, ...) @syscall(i64 %6)
  %8 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 32), i64 1 seq_cst, align 16
  %9 = icmp ult i64 %8, 8
  br i1 %9, label %10, label %13

10:
  %11 = trunc i64 %7 to i32
  %12 = getelementptr inbounds nuw i32, ptr @affinity, i64 %8
  store i32 %11, ptr %12, align 4
  br label %13

13:
  %14 = load atomic i32, ptr @signal_word seq_cst, align 128
  %15 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %16 = icmp eq i64 %15, %2
  br i1 %16, label %17, label %41

17:
  %18 = add i64 %8, 1
  %19 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  br label %20

20:
  %21 = phi i32 [ %14, %17 ], [ %38, %37 ]
  tail call fastcc void @drain(i64 %18)
  %22 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 32) seq_cst, align 32
  %23 = tail call i64 @llvm.umax.i64(i64 %22, i64 1)
  br label %24

24:
  %25 = phi i64 [ 0, %20 ], [ %29, %28 ]
  %26 = load atomic i32, ptr @signal_word seq_cst, align 128
  %27 = icmp eq i32 %26, %21
  br i1 %27, label %28, label %31

28:
  tail call void @relax()
  %29 = add nuw i64 %25, 1
  %30 = icmp eq i64 %29, %23
  br i1 %30, label %33, label %24

31:
  %32 = icmp ult i64 %25, %22
  br i1 %32, label %37, label %33

33:
  %34 = atomicrmw add ptr @sleepers, i32 1 seq_cst, align 128
  %35 = tail call i64 (i64, ...) @syscall(i64 %19, ptr @signal_word, i32 128, i32 %21, ptr null, ptr null, i32 0)
  %36 = atomicrmw add ptr @sleepers, i32 -1 seq_cst, align 128
  br label %37

37:
  %38 = load atomic i32, ptr @signal_word seq_cst, align 128
  %39 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %40 = icmp eq i64 %39, %2
  br i1 %40, label %20, label %41

41:
  %42 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), i64 -1 seq_cst, align 16
  ret ptr null
}

declare i32 @pthread_detach(ptr)

declare i32 @munmap(ptr, i64)

declare ptr @_PyObject_New(ptr)

define internal fastcc void @run_stage(ptr %0, ptr %1, i1 %2) nounwind {
  %4 = alloca %struct.Job, align 8
  store ptr %0, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store ptr %1, ptr %5, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br i1 %2, label %58, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = icmp sgt i64 %9, 0
  br i1 %10, label %11, label %82

11:
  %12 = load i64, ptr %0, align 8
  br label %13

13:
  %14 = phi i64 [ %54, %53 ], [ %9, %11 ]
  %15 = phi i64 [ %55, %53 ], [ %12, %11 ]
  %16 = phi i64 [ %56, %53 ], [ 0, %11 ]
  %17 = icmp sgt i64 %15, 0
  br i1 %17, label %18, label %53

18:
  %19 = phi i64 [ %46, %45 ], [ %15, %13 ]
  %20 = phi i64 [ %47, %45 ], [ %15, %13 ]
  %21 = phi ptr [ %48, %45 ], [ %6, %13 ]
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %21, i64 32
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds ptr, ptr %1, i64 %24
  %26 = getelementptr inbounds nuw i8, ptr %21, i64 40
  %27 = load i64, ptr %26, align 8
  %28 = mul i64 %27, %16
  %29 = getelementptr inbounds ptr, ptr %25, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds nuw i8, ptr %21, i64 16
  %33 = load i64, ptr %32, align 8
  %34 = icmp sgt i64 %31, 0
  br i1 %34, label %35, label %45

35:
  %36 = phi i64 [ %40, %35 ], [ 0, %18 ]
  %37 = phi i64 [ %41, %35 ], [ 0, %18 ]
  %38 = sub i64 %31, %36
  %39 = tail call i64 @llvm.smin.i64(i64 %33, i64 %38)
  %40 = add i64 %39, %36
  tail call void %22(ptr %29, i64 %36, i64 %40, i64 %37)
  %41 = add i64 %37, 1
  %42 = icmp slt i64 %40, %31
  br i1 %42, label %35, label %43

43:
  %44 = load i64, ptr %0, align 8
  br label %45

45:
  %46 = phi i64 [ %44, %43 ], [ %19, %18 ]
  %47 = phi i64 [ %44, %43 ], [ %20, %18 ]
  %48 = getelementptr inbounds nuw i8, ptr %21, i64 48
  %49 = getelementptr inbounds %struct.Step, ptr %6, i64 %47
  %50 = icmp ult ptr %48, %49
  br i1 %50, label %18, label %51

51:
  %52 = load i64, ptr %8, align 8
  br label %53

53:
  %54 = phi i64 [ %52, %51 ], [ %14, %13 ]
  %55 = phi i64 [ %46, %51 ], [ %15, %13 ]
  %56 = add nuw nsw i64 %16, 1
  %57 = icmp slt i64 %56, %54
  br i1 %57, label %13, label %82

58:
  %59 = load i64, ptr %0, align 8
  %60 = icmp sgt i64 %59, 1
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %62 = load i64, ptr %61, align 8
  br i1 %60, label %63, label %67

63:
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %65 = load i64, ptr %64, align 8
  %66 = mul i64 %65, %62
  call void @parallel_for(ptr @spread_tables, ptr %4, i64 %66, i64 1)
  br label %82

67:
  %68 = icmp sgt i64 %62, 1
  br i1 %68, label %69, label %73

69:
  %70 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %71 = load i64, ptr %70, align 8
  %72 = mul i64 %71, %62
  call void @parallel_for(ptr @spread_chunks, ptr %4, i64 %72, i64 1)
  br label %82

73:
  %74 = load ptr, ptr %6, align 8
  %75 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %76 = load i64, ptr %75, align 8
  %77 = getelementptr inbounds ptr, ptr %1, i64 %76
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %81 = load i64, ptr %80, align 8
  tail call void @parallel_for(ptr %74, ptr %77, i64 %79, i64 %81)
  br label %82

82:
  ret void
}

declare i32 @clock_gettime(i32, ptr)

define internal void @spread_tables(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %7 = load i64, ptr %6, align 8
  %8 = icmp ult i64 %1, %2
  br i1 %8, label %9, label %13

9:
  %10 = icmp eq i64 %7, 1
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %14

13:
  ret void

14:
  %15 = phi i64 [ %1, %9 ], [ %81, %80 ]
  br i1 %10, label %22, label %16

16:
  %17 = load i64, ptr %5, align 8
  %18 = icmp sgt i64 %17, 0
  br i1 %18, label %19, label %80

19:
  %20 = udiv i64 %15, %7
  %21 = urem i64 %15, %7
  br label %57

22:
  %23 = load ptr, ptr %12, align 8
  %24 = load i64, ptr %5, align 8
  %25 = icmp sgt i64 %24, 0
  br i1 %25, label %26, label %80

26:
  %27 = phi i64 [ %53, %52 ], [ %24, %22 ]
  %28 = phi ptr [ %54, %52 ], [ %11, %22 ]
  %29 = load ptr, ptr %28, align 8
  %30 = getelementptr inbounds nuw i8, ptr %28, i64 32
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds ptr, ptr %23, i64 %31
  %33 = getelementptr inbounds nuw i8, ptr %28, i64 40
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %15
  %36 = getelementptr inbounds ptr, ptr %32, i64 %35
  %37 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %38 = load i64, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %38, 0
  br i1 %41, label %42, label %52

42:
  %43 = phi i64 [ %47, %42 ], [ 0, %26 ]
  %44 = phi i64 [ %48, %42 ], [ 0, %26 ]
  %45 = sub i64 %38, %43
  %46 = tail call i64 @llvm.smin.i64(i64 %40, i64 %45)
  %47 = add i64 %46, %43
  tail call void %29(ptr %36, i64 %43, i64 %47, i64 %44)
  %48 = add i64 %44, 1
  %49 = icmp slt i64 %47, %38
  br i1 %49, label %42, label %50

50:
  %51 = load i64, ptr %5, align 8
  br label %52

52:
  %53 = phi i64 [ %51, %50 ], [ %27, %26 ]
  %54 = getelementptr inbounds nuw i8, ptr %28, i64 48
  %55 = getelementptr inbounds %struct.Step, ptr %11, i64 %53
  %56 = icmp ult ptr %54, %55
  br i1 %56, label %26, label %80

57:
  %58 = phi i64 [ 0, %19 ], [ %77, %57 ]
  %59 = getelementptr inbounds nuw %struct.Step, ptr %11, i64 %58
  %60 = load ptr, ptr %12, align 8
  %61 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %62 = load i64, ptr %61, align 8
  %63 = mul i64 %62, %21
  %64 = getelementptr inbounds nuw i8, ptr %59, i64 32
  %65 = load i64, ptr %64, align 8
  %66 = getelementptr inbounds ptr, ptr %60, i64 %65
  %67 = getelementptr inbounds nuw i8, ptr %59, i64 40
  %68 = load i64, ptr %67, align 8
  %69 = mul i64 %68, %20
  %70 = getelementptr inbounds ptr, ptr %66, i64 %69
  %71 = load ptr, ptr %59, align 8
  %72 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %73 = load i64, ptr %72, align 8
  %74 = sub i64 %73, %63
  %75 = tail call i64 @llvm.smin.i64(i64 %62, i64 %74)
  %76 = add i64 %75, %63
  tail call void %71(ptr %70, i64 %63, i64 %76, i64 %21)
  %77 = add nuw nsw i64 %58, 1
  %78 = load i64, ptr %5, align 8
  %79 = icmp slt i64 %77, %78
  br i1 %79, label %57, label %80

80:
  %81 = add nuw i64 %15, 1
  %82 = icmp eq i64 %81, %2
  br i1 %82, label %13, label %14
}

define internal void @spread_chunks(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %8 = load i64, ptr %7, align 8
  %9 = icmp ult i64 %1, %2
  br i1 %9, label %10, label %16

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %14 = getelementptr inbounds nuw i8, ptr %5, i64 64
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 32
  br label %17

16:
  ret void

17:
  %18 = phi i64 [ %1, %10 ], [ %34, %17 ]
  %19 = load ptr, ptr %11, align 8
  %20 = udiv i64 %18, %8
  %21 = urem i64 %18, %8
  %22 = load i64, ptr %12, align 8
  %23 = mul i64 %22, %21
  %24 = load i64, ptr %13, align 8
  %25 = getelementptr inbounds ptr, ptr %19, i64 %24
  %26 = load i64, ptr %14, align 8
  %27 = mul i64 %26, %20
  %28 = getelementptr inbounds ptr, ptr %25, i64 %27
  %29 = load ptr, ptr %6, align 8
  %30 = load i64, ptr %15, align 8
  %31 = sub i64 %30, %23
  %32 = tail call i64 @llvm.smin.i64(i64 %22, i64 %31)
  %33 = add i64 %32, %23
  tail call void %29(ptr %28, i64 %23, i64 %33, i64 %21)
  %34 = add i64 %18, 1
  %35 = icmp eq i64 %34, %2
  br i1 %35, label %16, label %17
}

declare void @Py_IncRef(ptr)

declare i64 @PyThread_get_thread_ident()

declare void @PyErr_Clear()

declare ptr @PyLong_AsVoidPtr(ptr)

declare ptr @PyTuple_New(i64)

declare i32 @PyTuple_SetItem(ptr, i64, ptr)

declare ptr @PyLong_FromSsize_t(i64)

declare i64 @llvm.ctlz.i64(i64, i1)

define internal fastcc ptr @system_take(i64 %0) nounwind {
  %2 = alloca ptr, align 8
  %3 = icmp samesign ult i64 %0, 16
  br i1 %3, label %4, label %7

4:
  %5 = shl nuw nsw i64 %0, 6
  %6 = add nuw nsw i64 %5, 64
  br label %15

7:
  %8 = add nsw i64 %0, -16
  %9 = and i64 %0, 7
  %10 = add nuw nsw i64 %9, 9
  %11 = lshr i64 %8, 3
  %12 = add nuw nsw i64 %11, 7
  %13 = shl i64 %10, %12
  %14 = icmp samesign ugt i64 %0, 79
  br i1 %14, label %21, label %15

15:
  %16 = phi i64 [ %6, %4 ], [ %13, %7 ]
  %17 = call i32 @posix_memalign(ptr %2, i64 64, i64 %16)
  %18 = icmp eq i32 %17, 0
  %19 = load ptr, ptr %2, align 8
  %20 = select i1 %18, ptr %19, ptr null
  br label %47

21:
  %22 = icmp slt i64 %13, 4194304
  %23 = select i1 %22, i64 0, i64 2097152
  %24 = add i64 %23, %13
  %25 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 24), align 8
  %26 = trunc i64 %25 to i32
  %27 = tail call ptr @mmap(ptr null, i64 %24, i32 3, i32 %26, i32 -1, i64 0)
  %28 = icmp eq ptr %27, inttoptr (i64 -1 to ptr)
  %29 = or i1 %22, %28
  %30 = select i1 %28, ptr null, ptr %27
  br i1 %29, label %47, label %31

31:
  %32 = ptrtoint ptr %27 to i64
  %33 = sub i64 0, %32
  %34 = and i64 %33, 2097151
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %38, label %36

36:
  %37 = tail call i32 @munmap(ptr %27, i64 %34)
  br label %38

38:
  %39 = sub nuw nsw i64 2097152, %34
  %40 = getelementptr inbounds nuw i8, ptr %27, i64 %34
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 %13
  %42 = tail call i32 @munmap(ptr %41, i64 %39)
  %43 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 32), align 8
  %44 = icmp eq i64 %43, 0
  br i1 %44, label %47, label %45

45:
  %46 = tail call i32 @madvise(ptr %40, i64 %13, i32 14)
  br label %47

47:
  %48 = phi ptr [ %20, %15 ], [ %30, %21 ], [ %40, %45 ], [ %40, %38 ]
  ret ptr %48
}

declare i32 @posix_memalign(ptr, i64, i64)

declare ptr @mmap(ptr, i64, i32, i32, i32, i64)

declare i32 @madvise(ptr, i64, i32)

declare ptr @PyGILState_GetThisThreadState()

declare i32 @PyGILState_Ensure()

declare i32 @PyErr_CheckSignals()

declare void @PyGILState_Release(i32)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.usub.sat.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)

declare i32 @llvm.smax.i32(i32, i32)
